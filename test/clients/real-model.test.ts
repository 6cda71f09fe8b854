import { expect } from "bun:test"
import { BunContext } from "@effect/platform-bun"
import { choice, noul, score, TypeSafeClient } from "@typesafe-ai/sdk"
import { Effect, Layer } from "effect"
import OpenAI from "openai"
import { Inference } from "#src/inference/Inference"
import { Language } from "#src/language/Language"
import { Models } from "#src/models/Models"
import { Settings } from "#src/Settings"
import { settings, TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"

const workers = Layer.orDie(
  Inference.layerNoDeps.pipe(
    Layer.provide(Models.layerOfFolder),
    Layer.provide(Language.layer),
    Layer.provide(Layer.succeed(Settings, settings)),
    Layer.provide(BunContext.layer)
  )
)

withLayer(testApp({ inference: workers }))("Clients get answers of the models in MODELS_DIR", (it) => {
  it("@typesafe-ai/sdk", () =>
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

  it("openai", () =>
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
