import { expect } from "bun:test"
import { FileSystem } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Effect } from "effect"
import type { Task } from "#src/inference/Protocol"
import { spawn } from "#src/inference/WorkerProcess"
import { readBundle } from "#src/models/Bundle"
import { live } from "../support/effect.ts"
import { modelsFolder } from "../support/models.ts"

live(
  "A worker that loads a model later, or in the place of a lost one, does not answer by other files than the server read",
  () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const bundle = yield* readBundle(`${yield* modelsFolder([{ name: "reviews" }])}/reviews`)
      const task: Task = {
        model: bundle,
        state: "Never again.",
        questions: [{ type: "noul", wording: "Happy?", options: [{ name: "no" }, { name: "yes" }] }]
      }
      const before = yield* spawn([])
      const { logits } = yield* before.run(task)

      const manifest = `${bundle.directory}/manifest.json`
      yield* fs.writeFileString(manifest, (yield* fs.readFileString(manifest)).replace("}", "}\n"))
      expect((yield* before.run(task)).logits).toEqual(logits)
      const after = yield* spawn([])
      expect(yield* Effect.flip(after.run(task))).toMatchObject({
        _tag: "RunFailed",
        message: expect.stringContaining(`${bundle.directory} holds other files; copy it again`)
      })
      expect(yield* Effect.flip(Effect.flatMap(spawn([bundle]), ({ ready }) => ready))).toMatchObject({
        _tag: "WorkerLost"
      })
      const model = yield* readBundle(bundle.directory)
      expect((yield* after.run({ ...task, model })).logits).toEqual(logits)
      const kept = yield* spawn([model])
      yield* kept.ready
      expect((yield* kept.run({ ...task, model })).logits).toEqual(logits)
    }).pipe(Effect.provide(BunContext.layer)),
  60_000
)
