import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import * as Migrator from "@effect/sql/Migrator"
import { SqlClient } from "@effect/sql/SqlClient"
import { Array as Arr, Effect, Layer } from "effect"

const folder = join(import.meta.dir, "../../sql")

const isFolder = (name: string) => statSync(join(folder, name)).isDirectory()

const statements = (name: string): string =>
  isFolder(name)
    ? readdirSync(join(folder, name))
        .sort()
        .map((file) => readFileSync(join(folder, name, file), "utf8"))
        .join("\n")
    : readFileSync(join(folder, name), "utf8")

const names = Effect.sync(() =>
  readdirSync(folder)
    .filter((name) => /^\d+_\w+(\.sql)?$/.test(name))
    .sort()
)

const carryOut = (name: string) => Effect.flatMap(SqlClient, (sql) => sql.unsafe(statements(name)))

/** A migration is a file of tables, or a folder of functions that are made as one, in the order of their files' names. */
const files = Effect.map(
  names,
  Arr.map((name): Migrator.ResolvedMigration => {
    const [id = "", ...words] = name.replace(".sql", "").split("_")
    return [Number(id), words.join("_"), Effect.succeed(carryOut(name))]
  })
)

/** Functions hold no data: at every start they become what they are now, also in a database that has had them for long. */
const functions = Effect.flatMap(SqlClient, (sql) =>
  sql`select pg_advisory_xact_lock(hashtext('functions'))`.pipe(
    Effect.zipRight(names),
    Effect.flatMap((all) => Effect.forEach(all.filter(isFolder), carryOut, { discard: true })),
    sql.withTransaction
  )
)

/** Brings the database to the newest migration of `sql`; several instances may do so at once. */
export const migrations = Layer.effectDiscard(Effect.zipRight(Migrator.make({})({ loader: files }), functions))
