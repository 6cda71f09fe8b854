import { expect } from "bun:test"
import { join } from "node:path"
import { FileSystem } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Effect, Layer } from "effect"
import { embedded } from "#src/database/Embedded"
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
