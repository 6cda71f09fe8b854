import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Option } from "effect"
import { Settings } from "../Settings.ts"
import { claim } from "./Claim.ts"
import { embedded } from "./Embedded.ts"
import { migrations } from "./Migrations.ts"
import { server } from "./Server.ts"

/** A migrated PostgreSQL: the server of `DATABASE_URL`, else one embedded in the data folder. */
export const Database = Layer.unwrapEffect(
  Effect.map(Settings, ({ databaseUrl, dataDir }) =>
    Option.match(databaseUrl, {
      onSome: (url) => {
        // Migrations of a large database take their time.
        const unhurried = PgClient.layer({ url, maxConnections: 1, idleTimeout: "1 second" })
        return server(url).pipe(Layer.provide(migrations.pipe(Layer.provide(unhurried))))
      },
      onNone: () => {
        mkdirSync(dataDir, { recursive: true, mode: 0o700 })
        return migrations.pipe(
          Layer.provideMerge(embedded({ dataDir: join(dataDir, "postgres") })),
          Layer.provide(Layer.scopedDiscard(claim(dataDir)))
        )
      }
    })
  )
)
