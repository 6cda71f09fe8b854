import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Option } from "effect"
import { Settings } from "../Settings.ts"
import { embedded } from "./Embedded.ts"
import { migrations } from "./Migrations.ts"

const client = Layer.unwrapEffect(
  Effect.map(Settings, ({ databaseUrl, dataDir }) =>
    Option.match(databaseUrl, {
      onSome: (url) => PgClient.layer({ url, maxConnections: 10 }),
      onNone: () => {
        mkdirSync(dataDir, { recursive: true })
        return embedded(join(dataDir, "postgres"))
      }
    })
  )
)

/** A migrated PostgreSQL: the server of `DATABASE_URL`, else one embedded in the data folder. */
export const Database = migrations.pipe(Layer.provideMerge(client))

/** The same, empty and in memory. */
export const DatabaseInMemory = migrations.pipe(Layer.provideMerge(embedded(undefined)))
