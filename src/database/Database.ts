import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { SqlError } from "@effect/sql/SqlError"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Option } from "effect"
import { DatabaseError } from "pg"
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

/** The driver tells the address of a server that it does not reach, and never which setting names it. What PostgreSQL says is kept. */
const unreached = ({ cause }: SqlError) => {
  const code = cause instanceof Error && !(cause instanceof DatabaseError) && "code" in cause ? cause.code : undefined
  const why = typeof code === "string" ? code : cause instanceof Error ? cause.message : String(cause)
  return new SqlError({
    cause: new Error(`${why}. Check that DATABASE_URL names a PostgreSQL that runs and takes its user and password.`)
  })
}

/** A migrated PostgreSQL: the server of `DATABASE_URL`, else one embedded in the data folder. */
export const Database = Layer.unwrapEffect(
  Effect.map(Settings, ({ databaseUrl, dataDir }) =>
    Option.match(databaseUrl, {
      onSome: (url) => {
        // Migrations of a large database take their time.
        const unhurried = PgClient.layer({ url, maxConnections: 1, idleTimeout: "1 second" }).pipe(
          Layer.mapError(unreached)
        )
        return server(url).pipe(Layer.mapError(unreached), Layer.provide(migrations.pipe(Layer.provide(unhurried))))
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
