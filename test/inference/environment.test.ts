import { expect } from "bun:test"
import { homedir } from "node:os"
import { FileSystem } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Effect } from "effect"
import { spawn } from "#src/inference/WorkerProcess"
import { live } from "../support/effect.ts"

/** Has every process of Bun that starts in the folder write down what its environment holds. */
const tell = `require("node:fs").writeFileSync("told.json", JSON.stringify(process.env))`

live("A worker has none of the server's settings, also where they are in a .env file", () =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped()
    yield* fs.writeFileString(`${folder}/.env`, "KEY_PEPPER=secret\n")
    yield* fs.writeFileString(`${folder}/bunfig.toml`, 'preload = ["./tell.cjs"]\n')
    yield* fs.writeFileString(`${folder}/tell.cjs`, tell)
    const before = process.cwd()
    const enter = Effect.sync(() => process.chdir(folder))
    yield* Effect.acquireRelease(enter, () => Effect.sync(() => process.chdir(before)))
    yield* Effect.flatMap(spawn([]), ({ ready }) => ready)
    const told: Readonly<Record<string, string>> = JSON.parse(yield* fs.readFileString(`${folder}/told.json`))
    const { NODE_CHANNEL_FD: _, NODE_CHANNEL_SERIALIZATION_MODE: __, ...rest } = told
    expect(rest).toEqual({ HOME: homedir(), ORT_DISABLE_TELEMETRY: "1" })
  }).pipe(Effect.provide(BunContext.layer))
)
