import { describe, expect } from "bun:test"
import { FileSystem } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Effect } from "effect"
import { readBundle } from "#src/models/Bundle"
import { live } from "../support/effect.ts"

const folder = (name: string) => new URL(`../fixtures/models/${name}`, import.meta.url).pathname

/** A copy of a folder that a change has spoilt. */
const spoilt = (change: (fs: FileSystem.FileSystem, directory: string) => Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const directory = `${yield* fs.makeTempDirectoryScoped()}/model`
    yield* fs.copy(folder("bert-nli"), directory)
    yield* change(fs, directory)
    return (yield* Effect.flip(readBundle(directory))).message
  }).pipe(Effect.provide(BunContext.layer))

describe("a folder from a model hub", () => {
  live("is read without a manifest of ours", () =>
    Effect.gen(function* () {
      const bert = yield* readBundle(folder("bert-nli"))
      const roberta = yield* readBundle(folder("roberta-nli"))
      expect(bert.manifest).toMatchObject({ name: "bert-nli", family: "cross-encoder", entailment: 0, window: 96 })
      expect(roberta.manifest).toMatchObject({
        name: "roberta-nli",
        entailment: 2,
        window: 96,
        graph: "onnx/model.onnx"
      })
    }).pipe(Effect.provide(BunContext.layer))
  )

  live("is told apart from another by its weights, however the files beside its graph are called", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const directory = `${yield* fs.makeTempDirectoryScoped()}/model`
      yield* fs.copy(folder("bert-nli"), directory)
      const known = new Set([(yield* readBundle(directory)).checksum])
      for (const name of ["model.onnx_data", "model.onnx_data_1", "model.onnx.data"]) {
        yield* fs.writeFileString(`${directory}/onnx/${name}`, "weights")
        known.add((yield* readBundle(directory)).checksum)
        yield* fs.writeFileString(`${directory}/onnx/${name}`, "others")
        known.add((yield* readBundle(directory)).checksum)
      }
      yield* fs.writeFileString(`${directory}/onnx/model.onnx.md`, "no weights")
      known.add((yield* readBundle(directory)).checksum)
      expect(known.size).toBe(7)
    }).pipe(Effect.provide(BunContext.layer))
  )

  live("that lacks something is refused with what to change", () =>
    Effect.gen(function* () {
      const config = (value: unknown) => (fs: FileSystem.FileSystem, directory: string) =>
        fs.writeFileString(`${directory}/config.json`, JSON.stringify(value))
      expect(yield* spoilt(config({ model_type: "bert", id2label: { 0: "good", 1: "bad" } }))).toContain(
        'no label "entailment"'
      )
      expect(yield* spoilt(config({ model_type: "bert" }))).toContain("id2label")
      expect(yield* spoilt((fs, directory) => fs.remove(`${directory}/onnx/model.onnx`))).toContain(
        "export the model to ONNX"
      )
      expect(yield* spoilt((fs, directory) => fs.remove(`${directory}/config.json`))).toContain(
        "config.json is missing"
      )
      expect(yield* spoilt((fs, directory) => fs.remove(`${directory}/tokenizer.json`))).toContain(
        "tokenizer.json is missing"
      )
      // No file to read, like one of another user, but for a test of the superuser too.
      const unreadable = (fs: FileSystem.FileSystem, directory: string) =>
        Effect.zipRight(fs.remove(`${directory}/tokenizer.json`), fs.makeDirectory(`${directory}/tokenizer.json`))
      expect(yield* spoilt(unreadable)).toContain("tokenizer.json cannot be read; check its owner and permissions")
    })
  )
})
