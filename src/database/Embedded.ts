import { Duplex } from "node:stream"
import { SqlError } from "@effect/sql/SqlError"
import { PgClient } from "@effect/sql-pg"
import { PGlite, type PGliteOptions } from "@electric-sql/pglite"
import { Effect } from "effect"
import { Pool } from "pg"
import { uncancelled } from "./uncancelled.ts"

/** The wire of a PostgreSQL connection whose other end is a database in this process. */
const wire = (database: PGlite): Duplex => {
  const stream = new Duplex({
    read() {},
    write(chunk: Uint8Array, _, done) {
      database.execProtocolRaw(chunk).then(
        // It answers without ever leaving the microtasks: without a pause, busy work would keep the sockets waiting.
        (answer) =>
          setImmediate(() => {
            if (answer.length > 0) stream.push(answer)
            done()
          }),
        (cause: unknown) => done(cause instanceof Error ? cause : new Error(String(cause)))
      )
    }
  })
  return Object.assign(stream, {
    connect: () => queueMicrotask(() => stream.emit("connect")),
    setNoDelay: () => stream,
    setKeepAlive: () => stream,
    ref: () => stream,
    unref: () => stream
  })
}

/** What PostgreSQL says of files that it cannot read means nothing outside of it. */
const unreadable =
  (dataDir = "memory") =>
  (cause: unknown) =>
    new SqlError({
      cause: new Error(
        `${dataDir} does not open (${cause instanceof Error ? cause.message : cause}). Put a backup of its folder in its place, or set another DATA_DIR`
      )
    })

/** PostgreSQL inside this process, kept in `dataDir`; in memory without it. One connection, one statement at a time. */
export const embedded = (options: PGliteOptions) =>
  PgClient.layerFromPool({
    acquire: Effect.gen(function* () {
      const database = yield* Effect.acquireRelease(
        Effect.tryPromise({ try: () => PGlite.create(options), catch: unreadable(options.dataDir) }),
        (database) => Effect.promise(() => database.close())
      )
      return yield* Effect.acquireRelease(
        Effect.sync(() =>
          uncancelled(new Pool({ stream: () => wire(database), max: 1, user: "postgres", database: "postgres" }))
        ),
        (pool) => Effect.promise(() => pool.end()).pipe(Effect.interruptible, Effect.timeoutOption("1 second"))
      )
    })
  })
