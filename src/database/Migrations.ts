import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Migrator from "@effect/sql/Migrator"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"

const folder = join(import.meta.dir, "../../sql")

const files = Effect.sync(() =>
  readdirSync(folder)
    .filter((name) => /^\d+_\w+\.sql$/.test(name))
    .sort()
    .map((name): Migrator.ResolvedMigration => {
      const [id = "", ...words] = name.replace(".sql", "").split("_")
      const text = readFileSync(join(folder, name), "utf8")
      return [Number(id), words.join("_"), Effect.succeed(Effect.flatMap(SqlClient, (sql) => sql.unsafe(text)))]
    })
)

/** Brings the database to the newest of `sql/*.sql`; several instances may do so at once. */
export const migrations = Layer.effectDiscard(Migrator.make({})({ loader: files }))
