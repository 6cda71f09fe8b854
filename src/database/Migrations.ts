import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import * as Migrator from "@effect/sql/Migrator"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"

const folder = join(import.meta.dir, "../../sql")

const statements = (path: string): string =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .map((name) => readFileSync(join(path, name), "utf8"))
        .join("\n")
    : readFileSync(path, "utf8")

/** A migration is a file, or a folder of files that are carried out as one, in the order of their names. */
const files = Effect.sync(() =>
  readdirSync(folder)
    .filter((name) => /^\d+_\w+(\.sql)?$/.test(name))
    .sort()
    .map((name): Migrator.ResolvedMigration => {
      const [id = "", ...words] = name.replace(".sql", "").split("_")
      const text = statements(join(folder, name))
      return [Number(id), words.join("_"), Effect.succeed(Effect.flatMap(SqlClient, (sql) => sql.unsafe(text)))]
    })
)

/** Brings the database to the newest migration of `sql`; several instances may do so at once. */
export const migrations = Layer.effectDiscard(Migrator.make({})({ loader: files }))
