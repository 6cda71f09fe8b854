import { Duplex } from "node:stream"
import { PgClient } from "@effect/sql-pg"
import { PGlite, type PGliteOptions } from "@electric-sql/pglite"
import { Effect, Layer } from "effect"

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

/** PostgreSQL inside this process, kept in `dataDir`; in memory without it. One connection, one statement at a time. */
export const embedded = (options: PGliteOptions) =>
  Layer.unwrapScoped(
    Effect.map(
      Effect.acquireRelease(
        Effect.promise(() => PGlite.create(options)),
        (database) => Effect.promise(() => database.close())
      ),
      (database) =>
        PgClient.layer({ stream: () => wire(database), maxConnections: 1, username: "postgres", database: "postgres" })
    )
  )
