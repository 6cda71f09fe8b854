import { Duplex } from "node:stream"
import { SqlError } from "@effect/sql/SqlError"
import { PgClient } from "@effect/sql-pg"
import { PGlite, type PGliteOptions } from "@electric-sql/pglite"
import { Deferred, Effect } from "effect"
import { Pool } from "pg"
import { uncancelled } from "./uncancelled.ts"

const ERROR = "E".charCodeAt(0)

/** What PostgreSQL says of its own end, which is the last that it says. */
const lastWords = (answer: Uint8Array): string | undefined => {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength)
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    if (bytes[at] !== ERROR) continue
    const fields = bytes.toString("utf8", at + 5, at + 1 + bytes.readInt32BE(at + 1)).split("\0")
    if (fields.includes("VPANIC") || fields.includes("VFATAL"))
      return fields.find((field) => field.startsWith("M"))?.slice(1)
  }
}

/** Far longer than any answer takes that comes at all: while PostgreSQL works, no timer of this process runs. */
const unanswered = 60_000

/**
 * The wire of a PostgreSQL connection whose other end is a database in this process. Once that is `over`, nothing may
 * reach it any more: it would keep the process busy for ever.
 */
const wire = (database: PGlite, over: (why: string) => void): Duplex => {
  const stream = new Duplex({
    read() {},
    write(chunk: Uint8Array, _, done) {
      const late = setTimeout(() => over("it does not answer"), unanswered)
      database
        .execProtocolRaw(chunk)
        .finally(() => clearTimeout(late))
        .then(
          // It answers without ever leaving the microtasks: without a pause, busy work would keep the sockets waiting.
          (answer) =>
            setImmediate(() => {
              const words = lastWords(answer)
              if (answer.length > 0) stream.push(answer)
              if (words === undefined) done()
              else over(words)
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
        `${dataDir} does not open (${cause instanceof Error ? cause.message : cause}). Make room where its disk is full; else put a backup of its folder in its place, or set another DATA_DIR`
      )
    })

/** A supervisor starts the service anew; in the same process, the memory of the one that ended would stay. */
const endProcess = Effect.sync((): void => process.exit(1))

/**
 * PostgreSQL inside this process, kept in `dataDir`; in memory without it. One connection, one statement at a time.
 * Where it ends by itself, as on a full disk, `ended` follows: what it has kept opens again in another process.
 */
export const embedded = (options: PGliteOptions, ended: Effect.Effect<void> = endProcess) =>
  PgClient.layerFromPool({
    acquire: Effect.gen(function* () {
      const over = yield* Deferred.make<string>()
      const database = yield* Effect.acquireRelease(
        Effect.tryPromise({ try: () => PGlite.create(options), catch: unreadable(options.dataDir) }),
        (database) =>
          Effect.unlessEffect(
            Effect.promise(() => database.close()),
            Deferred.isDone(over)
          )
      )
      yield* Deferred.await(over).pipe(
        Effect.flatMap((why) => Effect.logFatal(`The database ended, and the service with it: ${why}`)),
        Effect.zipRight(ended),
        Effect.forkScoped
      )
      const connect = () => wire(database, (why) => Deferred.unsafeDone(over, Effect.succeed(why)))
      return yield* Effect.acquireRelease(
        Effect.sync(() => uncancelled(new Pool({ stream: connect, max: 1, user: "postgres", database: "postgres" }))),
        (pool) => Effect.promise(() => pool.end()).pipe(Effect.interruptible, Effect.timeoutOption("1 second"))
      )
    })
  })
