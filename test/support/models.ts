import { FileSystem, Path } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Effect } from "effect"

const fixture = (name: string) => new URL(`../fixtures/models/${name}`, import.meta.url).pathname

/** Puts a copy of the tiny model into a models folder, with changes to its manifest; `folder` names it otherwise than its model. */
export const placeTiny = (modelsDir: string, change: Readonly<Record<string, unknown>>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const manifest = JSON.parse(yield* fs.readFileString(path.join(fixture("tiny"), "manifest.json")))
    const directory = path.join(modelsDir, String(change.folder ?? change.name))
    yield* fs.copy(fixture("tiny"), directory)
    yield* fs.writeFileString(path.join(directory, "manifest.json"), JSON.stringify({ ...manifest, ...change }))
    return directory
  }).pipe(Effect.provide(BunContext.layer), Effect.orDie)

/** Puts a copy of a fixture in the layout of a model hub into a models folder. */
export const placeHub = (modelsDir: string, name: "bert-nli" | "roberta-nli") =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const directory = `${modelsDir}/${name}`
    yield* fs.copy(fixture(name), directory)
    return directory
  }).pipe(Effect.provide(BunContext.layer), Effect.orDie)

/** A models folder with a copy of the tiny model for each change, that goes with the scope. */
export const modelsFolder = (models: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped()
    for (const change of models) yield* placeTiny(folder, change)
    return folder
  }).pipe(Effect.provide(BunContext.layer), Effect.orDie)
