import { describe, expect, spyOn } from "bun:test"
import { FileSystem } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Effect, Schema } from "effect"
import { InferenceSession } from "onnxruntime-node"
import { loadBranches } from "#src/inference/branches/BranchesModel"
import type { Question } from "#src/inference/Question"
import { spawn } from "#src/inference/WorkerProcess"
import { type Bundle, readBundle, sha256 } from "#src/models/Bundle"
import { Branches } from "#src/models/Manifest"
import { live } from "../support/effect.ts"
import { modelsFolder } from "../support/models.ts"

const questions: ReadonlyArray<Question> = [
  { type: "choice", wording: "what is asked?", options: [{ name: "refund" }, { name: "cancel" }] }
]
const texts = {
  short: "please cancel",
  /** Of several windows: for the graph that is opened anew. */
  long: "please refund the money ".repeat(40),
  /** After which it is opened anew. */
  large: "refund ".repeat(16_001)
}

/** A model with a graph for long texts, that may be changed. */
const bundle = Effect.gen(function* () {
  const folder = yield* modelsFolder([{ name: "reviews", long: "model.onnx" }])
  return yield* readBundle(`${folder}/reviews`)
})

/** Puts other weights into its folder, with a manifest that is true to them. */
const replaced = Effect.fn(function* ({ directory, manifest: { files } }: Bundle) {
  const fs = yield* FileSystem.FileSystem
  const [graph, manifest] = [`${directory}/model.onnx`, `${directory}/manifest.json`]
  const bytes = yield* fs.readFile(graph)
  yield* fs.writeFile(
    graph,
    bytes.map((byte, at) => (at > 3_000 && at < 7_000 ? byte ^ 1 : byte))
  )
  const text = yield* fs.readFileString(manifest)
  yield* fs.writeFileString(manifest, text.replace(files["model.onnx"]?.sha256 ?? "", yield* sha256(graph)))
  return yield* readBundle(directory)
})

/** The same without a process. */
const loaded = Effect.gen(function* () {
  const place = yield* bundle
  const { run } = yield* Effect.acquireRelease(
    Effect.flatMap(Schema.validate(Branches)(place.manifest), (manifest) => loadBranches(place, manifest)),
    ({ release }) => release
  )
  return { place, ask: (state: string) => Effect.map(run({ state, questions }), ({ logits }) => logits) }
})

/** Runs a task during which a graph cannot be opened. */
const unopened = <A, E, R>(run: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => spyOn(InferenceSession, "create").mockRejectedValue(new Error("too many open files"))),
    (create) =>
      Effect.tap(run, () => {
        expect(create).toHaveBeenCalledTimes(1)
      }),
    (create) => Effect.sync(() => create.mockRestore())
  )

describe("The graph for long texts, after a large one", () => {
  live(
    "answers by the files that it was opened from first, whatever lies there now",
    () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const model = yield* bundle
        const worker = yield* spawn([model])
        const ask = (state: string) => Effect.map(worker.run({ model, state, questions }), ({ logits }) => logits)
        const [long, large] = [yield* ask(texts.long), yield* ask(texts.large)]
        expect(yield* ask(texts.long)).toEqual(long)

        const other = yield* replaced(model)
        expect(yield* ask(texts.large)).toEqual(large)
        expect(yield* ask(texts.long)).toEqual(long)
        const another = yield* spawn([other])
        expect((yield* another.run({ model: other, state: texts.long, questions })).logits).not.toEqual(long)

        yield* fs.remove(model.directory, { recursive: true })
        expect(yield* ask(texts.large)).toEqual(large)
        expect(yield* ask(texts.long)).toEqual(long)
      }).pipe(Effect.provide(BunContext.layer)),
    60_000
  )

  live("is opened by the next text that needs it where it could not be: no answer is lost, and no other graph", () =>
    Effect.gen(function* () {
      const { ask } = yield* loaded
      const [short, long, large] = [yield* ask(texts.short), yield* ask(texts.long), yield* ask(texts.large)]
      expect(yield* unopened(ask(texts.large))).toEqual(large)
      expect(yield* ask(texts.short)).toEqual(short)
      expect(yield* ask(texts.long)).toEqual(long)
    }).pipe(Effect.provide(BunContext.layer))
  )

  live("is not opened by then from other files", () =>
    Effect.gen(function* () {
      const { place, ask } = yield* loaded
      const short = yield* ask(texts.short)
      yield* unopened(ask(texts.large))
      yield* replaced(place)
      const defect = yield* Effect.flip(Effect.sandbox(ask(texts.long)))
      expect(String(defect)).toContain("holds other files; copy it again")
      expect(yield* ask(texts.short)).toEqual(short)
    }).pipe(Effect.provide(BunContext.layer))
  )
})
