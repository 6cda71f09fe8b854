import { expect } from "bun:test"
import { BunContext } from "@effect/platform-bun"
import { choice, noul, score, TypeSafeClient } from "@typesafe-ai/sdk"
import { Effect, Layer } from "effect"
import OpenAI from "openai"
import { Inference } from "#src/inference/Inference"
import type { Question } from "#src/inference/Question"
import { Language } from "#src/language/Language"
import { readBundle } from "#src/models/Bundle"
import { Models } from "#src/models/Models"
import { Settings } from "#src/Settings"
import { settings, TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"

const names = ["svc-english", "svc-multilingual"] as const
const most = { "svc-english": 40_000_000, "svc-multilingual": 85_000_000 }
const folder = (name: string) => new URL(`../../models/${name}`, import.meta.url).pathname
const bundle = (name: string) => Effect.provide(readBundle(folder(name)), BunContext.layer)

const workers = Layer.orDie(
  Inference.layerNoDeps.pipe(
    Layer.provide(Models.layerOfFolder),
    Layer.provide(Language.layer),
    Layer.provide(Layer.succeed(Settings, settings)),
    Layer.provide(BunContext.layer)
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

withLayer(testApp({ inference: workers }))("built-in models", (it) => {
  for (const name of names)
    it(`${name}: fits its size, and its files are what the manifest says`, () =>
      Effect.map(bundle(name), ({ manifest }) => {
        const bytes = Object.values(manifest.files).reduce((sum, file) => sum + file.bytes, 0)
        expect(bytes).toBeLessThan(most[name])
      }))

  it(
    "svc-english: the order of options and the presence of other questions change nothing",
    () =>
      Effect.gen(function* () {
        const { answer } = yield* Inference
        const model = yield* bundle("svc-english")
        const ask = (questions: ReadonlyArray<Question>) =>
          Effect.map(answer({ model, state: text, questions, lane: ["test"] }), ({ answers }) =>
            answers.map(({ probabilities }) => probabilities)
          )
        const [alone] = yield* ask([topic])
        const reversed = { ...topic, options: topic.options.toReversed() }
        const [, among, yes, , noul] = yield* ask([mood, reversed, urgent, mood, { ...urgent, type: "choice" }])
        expect(apart(among?.toReversed(), alone)).toBeLessThan(1e-3)
        expect(apart(yes, noul)).toBeLessThan(1e-3)
      }),
    60_000
  )

  it("answer @typesafe-ai/sdk", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const client = new TypeSafeClient({ apiKey: key, baseURL: app.base, timeout: 30_000 })
      const { answers, model } = yield* Effect.promise(() =>
        client.systemOne({
          state: { subject: "Charged twice", body: "I was charged twice this month. Please send one payment back." },
          questions: {
            refund: noul("Does the customer want money back?"),
            topic: choice("What is `body` about?", { billing: "charges, invoices, refunds", weather: "rain and sun" }),
            mood: score("How satisfied is the customer?", ["not at all", "somewhat", "very"])
          }
        })
      )
      expect(model).toBe("svc-english")
      expect(answers.topic.choice).toBe("billing")
      expect(answers.refund.noul).toBeGreaterThan(0.5)
      expect(answers.mood.score).toBeLessThan(1.5)
    }))

  it("answer openai", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const client = new OpenAI({ apiKey: key, baseURL: `${app.base}/v1` })
      const { results } = yield* Effect.promise(() =>
        client.moderations.create({ input: ["I will kill you, you worthless idiot", "The shop opens at nine."] })
      )
      const [threat, plain] = results
      expect(threat?.category_scores["harassment/threatening"] ?? 0).toBeGreaterThan(
        plain?.category_scores["harassment/threatening"] ?? 1
      )
    }))
})
