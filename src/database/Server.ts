import { SqlError } from "@effect/sql/SqlError"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { Pool, type PoolClient } from "pg"
import { uncancelled } from "./uncancelled.ts"

/**
 * Lends connections for a limited time: a server that stopped answering, or a network that lost it, is found out by
 * nobody else. Whoever holds the connection then gets an error, and the connection is never lent again.
 */
const bounded = (pool: Pool, millis: number) => {
  const ends = new WeakMap<PoolClient, ReturnType<typeof setTimeout>>()
  pool.on("acquire", (client) => {
    const end = () => {
      void client.end()
    }
    ends.set(client, setTimeout(end, millis))
  })
  pool.on("release", (_, client) => clearTimeout(ends.get(client)))
  return pool
}

const failed = (cause: unknown) => new SqlError({ cause, message: "PostgreSQL does not answer" })

/**
 * A PostgreSQL server at `url`. No statement and no transaction takes longer than `millis`, whatever happens there;
 * PostgreSQL itself gives a statement up first, so that most failures are known to have changed nothing.
 */
export const server = (url: Redacted.Redacted, millis = 5_000) =>
  PgClient.layerFromPool({
    acquire: Effect.acquireRelease(
      Effect.tryPromise({
        try: async () => {
          const pool = new Pool({
            connectionString: Redacted.value(url),
            max: 10,
            connectionTimeoutMillis: millis * 0.6,
            statement_timeout: millis * 0.8,
            idle_in_transaction_session_timeout: millis,
            application_name: "decisions"
          })
          bounded(uncancelled(pool), millis)
          await pool.query("select 1")
          return pool
        },
        catch: failed
      }),
      (pool) => Effect.promise(() => pool.end()).pipe(Effect.interruptible, Effect.timeoutOption("1 second"))
    )
  })
