import { describe, expect } from "bun:test"
import { BunContext } from "@effect/platform-bun"
import { Effect, Schema } from "effect"
import { loadCrossEncoder } from "#src/inference/crossencoder/CrossEncoderModel"
import { loadMarkers } from "#src/inference/markers/MarkersModel"
import { readManifest } from "#src/models/Bundle"
import { CrossEncoder, Markers } from "#src/models/Manifest"
import { live } from "../support/effect.ts"

const folder = (name: string) => new URL(`../fixtures/models/${name}`, import.meta.url).pathname
const manifestOf = (name: string) => Effect.provide(readManifest(folder(name)), BunContext.layer)

const asked = (wording: string) => ({ type: "choice", wording, options: [{ name: "one" }, { name: "two" }] }) as const
const task = { state: "text", questions: [asked("which?"), asked("which? ".repeat(90))] }

/** Both models fail at their first run: that a question is too long is known before. */
describe("A question that is too long is refused before the graph runs for another", () => {
  live("cross-encoder", () =>
    Effect.gen(function* () {
      const manifest = yield* Schema.validate(CrossEncoder)({ ...(yield* manifestOf("bert-nli")), entailment: 3 })
      const { run, release } = yield* loadCrossEncoder(folder("bert-nli"), manifest)
      expect((yield* Effect.flip(run({ ...task, questions: [asked("which?")] })))._tag).toBe("RunFailed")
      expect(yield* Effect.flip(run(task))).toMatchObject({ _tag: "TooLong", question: 1 })
      yield* release
    })
  )

  live("markers", () =>
    Effect.gen(function* () {
      const manifest = yield* Schema.validate(Markers)({ ...(yield* manifestOf("gliclass")), logits: "tokens" })
      const { run, release } = yield* loadMarkers(folder("gliclass"), manifest)
      expect((yield* Effect.flip(run({ ...task, questions: [asked("which?")] })))._tag).toBe("RunFailed")
      expect(yield* Effect.flip(run(task))).toMatchObject({ _tag: "TooLong", question: 1 })
      yield* release
    })
  )
})
