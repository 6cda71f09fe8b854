import { expect } from "bun:test"
import { join } from "node:path"
import { FileSystem } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Effect } from "effect"
import { claim } from "#src/Claim"
import { live } from "#test/support/effect"

const folder = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped()).pipe(
  Effect.provide(BunContext.layer)
)

live("A claimed file is one claim's alone, and free when it ends", () =>
  Effect.gen(function* () {
    const file = join(yield* folder, "lock")
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* claim(file, "it is taken")
        expect((yield* Effect.flip(Effect.scoped(claim(file, "it is taken")))).message).toBe("it is taken")
      })
    )
    yield* Effect.scoped(claim(file, "it is taken"))
    const nowhere = `${file}/nowhere`
    expect((yield* Effect.flip(Effect.scoped(claim(nowhere, "it is taken")))).message).toStartWith(nowhere)
  })
)

live("A process that is killed keeps no claim", () =>
  Effect.gen(function* () {
    const file = join(yield* folder, "lock")
    const source = `
      import { Effect } from "effect"
      import { claim } from "#src/Claim"
      Effect.runPromise(Effect.scoped(Effect.zipRight(claim(${JSON.stringify(file)}, ""), Effect.andThen(Effect.sync(() => console.log("claimed")), Effect.never))))`
    const child = Bun.spawn([process.execPath, "-e", source], {
      cwd: join(import.meta.dir, ".."),
      stdout: "pipe",
      stderr: "inherit"
    })
    yield* Effect.promise(() => child.stdout.getReader().read())
    expect(yield* Effect.isFailure(Effect.scoped(claim(file, "")))).toBe(true)
    child.kill("SIGKILL")
    yield* Effect.promise(() => child.exited)
    yield* Effect.scoped(claim(file, ""))
  })
)
