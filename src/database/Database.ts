import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { SqlError } from "@effect/sql/SqlError"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Option } from "effect"
import { claim } from "../Claim.ts"
import { Settings } from "../Settings.ts"
import { embedded } from "./Embedded.ts"
import { migrations } from "./Migrations.ts"
import { server } from "./Server.ts"

/** The embedded database looks after one process only: two would overwrite what the other wrote. */
const alone = (dataDir: string) =>
  claim(
    join(dataDir, "lock"),
    `${dataDir} is in use by another process of the service. End it, or set another DATA_DIR; instances that are to share a database share a DATABASE_URL`
  ).pipe(Effect.mapError(({ message }) => new SqlError({ cause: new Error(message) })))

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
          Layer.provide(Layer.scopedDiscard(alone(dataDir)))
        )
      }
    })
  )
)
