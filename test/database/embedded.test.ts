import { expect } from "bun:test"
import { join } from "node:path"
import { FileSystem } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { SqlClient } from "@effect/sql/SqlClient"
import { Duration, Effect, Fiber, Layer } from "effect"
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
        /^The database cannot be used: \S+\/postgres does not open \(.+\)\. Put a backup/
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
