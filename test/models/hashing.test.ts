import { expect } from "bun:test"
import { setImmediate } from "node:timers/promises"
import { FileSystem } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Effect, Fiber } from "effect"
import { sha256 } from "#src/models/Bundle"
import { live } from "../support/effect.ts"

const megabyte = new Uint8Array(1024 * 1024).fill(7)
const megabytes = 64

live("Others get their turn while the files of a model are hashed", () =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const file = yield* fs.makeTempFileScoped()
    for (let n = 0; n < megabytes; n++) yield* fs.writeFile(file, megabyte, { flag: "a" })
    let turns = 0
    const turn = Effect.zipRight(
      Effect.promise(() => setImmediate()),
      Effect.sync(() => turns++)
    )
    const others = yield* Effect.fork(Effect.forever(turn))
    const found = yield* sha256(file)
    yield* Fiber.interrupt(others)
    const whole = new Bun.CryptoHasher("sha256").update(yield* fs.readFile(file)).digest("hex")
    expect(found).toBe(whole)
    expect(turns).toBeGreaterThan(megabytes / 4)
  }).pipe(Effect.provide(BunContext.layer))
)
