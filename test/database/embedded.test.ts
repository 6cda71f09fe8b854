import { expect } from "bun:test"
import { join } from "node:path"
import { FileSystem } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { SqlClient } from "@effect/sql/SqlClient"
import { Deferred, Duration, Effect, Fiber, Layer } from "effect"
import { embedded } from "#src/database/Embedded"
import { transaction } from "#src/database/transaction"
import { startFailure } from "#src/startFailure"
import { live } from "#test/support/effect"

live(
  "An embedded database whose files are broken stops the start with its folder and what to do",
  () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const dataDir = join(yield* fs.makeTempDirectoryScoped(), "postgres")
      const opened = Effect.scoped(Layer.build(embedded({ dataDir })))
      yield* fs.makeDirectory(dataDir)
      // Of a database, and nothing else of it is there.
      yield* fs.writeFileString(join(dataDir, "PG_VERSION"), "17")
      const why = yield* Effect.flip(Effect.sandbox(opened))
      expect(startFailure(why)).toMatch(
        /^The database cannot be used: \S+\/postgres does not open \(.+\)\. Make room .+ put a backup/
      )
    }).pipe(Effect.provide(BunContext.layer)),
  60_000
)

live("A transaction that was begun is carried through though its caller leaves, and nobody else waits for more", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`create table things (n integer)`
    const begun = Promise.withResolvers<void>()
    const left = yield* sql`insert into things values (1)`.pipe(
      Effect.zipRight(Effect.sync(begun.resolve)),
      Effect.zipRight(sql`select count(*) from generate_series(1, 1000000)`),
      transaction(sql),
      Effect.fork
    )
    yield* Effect.promise(() => begun.promise)
    yield* Effect.yieldNow()
    const [took, rows] = yield* Effect.timed(Effect.zipRight(Fiber.interrupt(left), sql`select * from things`))
    expect(rows).toEqual([{ n: 1 }])
    expect(Duration.toSeconds(took)).toBeLessThan(4)
  }).pipe(Effect.provide(embedded({})))
)

live("A database that ends by itself ends the service, and what it has kept opens again", () =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const dataDir = join(yield* fs.makeTempDirectoryScoped(), "postgres")
    const ended = yield* Deferred.make<void>()
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`create table things (n integer)`
      yield* sql`insert into things values (1)`
      // As on a full disk, it cannot go on where it has to write what it does.
      yield* fs.rename(join(dataDir, "pg_wal"), join(dataDir, "elsewhere"))
      yield* sql`select pg_switch_wal()`
      const { cause } = yield* Effect.flip(sql`insert into things values (${2})`)
      expect(String(cause)).toContain("pg_wal")
      const next = yield* Effect.fork(sql`select ${3}::integer`)
      yield* Deferred.await(ended)
      yield* Fiber.interruptFork(next)
    }).pipe(Effect.provide(embedded({ dataDir }, Deferred.succeed(ended, undefined))))
    yield* fs.rename(join(dataDir, "elsewhere"), join(dataDir, "pg_wal"))
    const rows = Effect.flatMap(SqlClient, (sql) => sql`select * from things`)
    expect(yield* Effect.provide(rows, embedded({ dataDir }))).toEqual([{ n: 1 }])
  }).pipe(Effect.provide(BunContext.layer))
)
