import { expect } from "bun:test"
import { BunContext } from "@effect/platform-bun"
import { Effect, Layer } from "effect"
import { Inference } from "#src/inference/Inference"
import type { Question } from "#src/inference/Question"
import { readBundle } from "#src/models/Bundle"
import { withLayer } from "../support/effect.ts"

const names = ["svc-english", "svc-multilingual"] as const
const most = { "svc-english": 40_000_000, "svc-multilingual": 85_000_000 }
const folder = (name: string) => new URL(`../../models/${name}`, import.meta.url).pathname
const bundle = (name: string) => Effect.provide(readBundle(folder(name)), BunContext.layer)

const layer = Layer.unwrapEffect(
  Effect.map(Effect.forEach(names, bundle), (models) =>
    Inference.layer({ models, workers: 1, queueLimit: 100, deadline: "20 seconds" })
  )
)

const topic: Question = {
  type: "choice",
  wording: "What does the customer want?",
  options: [
    { name: "refund", description: "money back for something bought" },
    { name: "technical help" },
    { name: "cancellation", description: "end of a subscription" },
    { name: "other" }
  ]
}
const urgent: Question = { type: "noul", wording: "Is this urgent?", options: [{ name: "yes" }, { name: "no" }] }
const mood: Question = {
  type: "score",
  wording: "How satisfied is the customer?",
  options: [{ name: "not at all" }, { name: "somewhat" }, { name: "very" }]
}
const text = "My parcel never came. Please send my money back today."

/** Largest difference between two answers. */
const apart = (one: ReadonlyArray<number> = [], other: ReadonlyArray<number> = []) =>
  one.length > 1 && one.length === other.length ? Math.max(...one.map((p, i) => Math.abs(p - (other[i] ?? 0)))) : 1

withLayer(layer)("built-in models", (it) => {
  for (const name of names) {
    const ask = (state: string, questions: ReadonlyArray<Question>) =>
      Effect.gen(function* () {
        const { answer } = yield* Inference
        const { answers } = yield* answer({ model: yield* bundle(name), state, questions, lane: ["test"] })
        return answers.map(({ probabilities }) => probabilities)
      })

    it(`${name}: fits its size, and its files are what the manifest says`, () =>
      Effect.map(bundle(name), ({ manifest }) => {
        const bytes = Object.values(manifest.files).reduce((sum, file) => sum + file.bytes, 0)
        expect(bytes).toBeLessThan(most[name])
      }))

    it(
      `${name}: the order of options and the presence of other questions change nothing`,
      () =>
        Effect.gen(function* () {
          const [alone] = yield* ask(text, [topic])
          const reversed = { ...topic, options: topic.options.toReversed() }
          const [, among, yes, , noul] = yield* ask(text, [mood, reversed, urgent, mood, { ...urgent, type: "choice" }])
          expect(apart(among?.toReversed(), alone)).toBeLessThan(1e-3)
          expect(apart(yes, noul)).toBeLessThan(1e-3)
        }),
      60_000
    )
  }
})
