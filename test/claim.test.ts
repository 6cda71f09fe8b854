import { expect } from "bun:test"
import { join } from "node:path"
import { FileSystem } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Effect } from "effect"
import { claim } from "#src/database/Claim"
import { startFailure } from "#src/startFailure"
import { live } from "#test/support/effect"

const folder = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped()).pipe(
  Effect.provide(BunContext.layer)
)

live("A data folder is one claim's alone, and free when it ends", () =>
  Effect.gen(function* () {
    const data = yield* folder
    const refused = Effect.sandbox(Effect.scoped(claim(data))).pipe(Effect.flip, Effect.map(startFailure))
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* claim(data)
        expect(yield* refused).toStartWith(`The database cannot be used: ${data} is in use by another process`)
      })
    )
    yield* Effect.scoped(claim(data))
  })
)

live("A process that is killed keeps no claim", () =>
  Effect.gen(function* () {
    const data = yield* folder
    const source = `
      import { Effect } from "effect"
      import { claim } from "#src/database/Claim"
      Effect.runPromise(Effect.scoped(Effect.zipRight(claim(${JSON.stringify(data)}), Effect.andThen(Effect.sync(() => console.log("claimed")), Effect.never))))`
    const child = Bun.spawn([process.execPath, "-e", source], {
      cwd: join(import.meta.dir, "../.."),
      stdout: "pipe",
      stderr: "inherit"
    })
    yield* Effect.promise(() => child.stdout.getReader().read())
    expect(yield* Effect.isFailure(Effect.scoped(claim(data)))).toBe(true)
    child.kill("SIGKILL")
    yield* Effect.promise(() => child.exited)
    yield* Effect.scoped(claim(data))
  })
)
