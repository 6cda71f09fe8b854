import { expect } from "bun:test"
import { Effect } from "effect"
import { Inference } from "#src/inference/Inference"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"
import { http } from "#test/support/service"

const sum = (probabilities: Record<string, number>) =>
  Object.values(probabilities).reduce((total, p) => total + Math.round(p * 1_000_000), 0)

http("POST /v1/decide answers", (it) => {
  const decide = Effect.fn(function* (body: unknown) {
    const app = yield* TestApp
    const { key } = yield* app.customer()
    return yield* app.send("POST", "/v1/decide", { key, body })
  })

  it("a choice, with every field of a decision", () =>
    Effect.gen(function* () {
      const { status, headers, body } = yield* decide({
        text: "I want my refund",
        type: "choice",
        question: "What does the customer want?",
        options: { refund: "money back", exchange: null, other: "anything else" }
      })
      expect(status).toBe(200)
      expect(body).toEqual({
        decision: "refund",
        confidence: 0.727273,
        probabilities: { refund: 0.818182, exchange: 0.090909, other: 0.090909 },
        template: null,
        model: "svc-english",
        usage: { decisions: 1, input_tokens: 16 + 28, cost_micros: 15, cost_usd: 0.000015 },
        latency_ms: expect.any(Number),
        request_id: headers.get("x-request-id")
      })
      expect(sum(body.probabilities)).toBe(1_000_000)
    }))

  it("personal data wherever a detector finds an identifier, whatever the model thinks, as one decision", () =>
    Effect.gen(function* () {
      const ask = (text: string) => Effect.map(decide({ text, template: "pii" }), ({ body }) => body)
      const found = yield* ask("Dog lost, ring 0171 3920044")
      expect(found).toMatchObject({ decision: true, probability: 0.97, probabilities: { yes: 0.97, no: 0.03 } })
      expect(found.usage.decisions).toBe(1)
      expect(yield* ask("Dog lost")).toMatchObject({ decision: false, probability: 0.1 })
      expect(yield* ask("Dog lost by a private person")).toMatchObject({ decision: true, probability: 0.9 })
    }))

  it("a yes/no question with a boolean and P(yes)", () =>
    Effect.gen(function* () {
      const { body } = yield* decide({ text: "It is urgent", type: "yes_no", question: "Is it urgent?" })
      expect(body).toMatchObject({
        decision: true,
        probability: 0.9,
        confidence: 0.8,
        probabilities: { yes: 0.9, no: 0.1 }
      })
      expect(body).not.toHaveProperty("score")
    }))

  it("a score with the expected level, lowest first, numbers as names", () =>
    Effect.gen(function* () {
      const { body } = yield* decide({
        text: "I give it 3",
        type: "score",
        question: "How many stars?",
        options: [1, 2, 3]
      })
      expect(body).toMatchObject({
        decision: "3",
        score: 1.727273,
        confidence: 0.59091,
        probabilities: { "1": 0.090909, "2": 0.090909, "3": 0.818182 }
      })
      expect(body).not.toHaveProperty("probability")
    }))

  for (const [sent, options, decision, score] of [
    ["whole numbers after another", '{"-1": "against", "0": "neutral", "1": "in favour"}', "1", 1.727273],
    ["falling numbers", '{"3": "best", "2": null, "1": "worst"}', "1", 1.727273],
    ["a name before numbers", '{"none": "no stars", "2": "two", "1": "one"}', "1", 1.727273]
  ] as const)
    it(`a score with its levels in the order in which a map was sent: ${sent}`, () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const { key } = yield* app.customer()
        const raw = `{"text": "I give it a 1", "type": "score", "question": "How many?", "options": ${options}}`
        const { status, body } = yield* app.send("POST", "/v1/decide", { key, raw })
        expect([status, body.decision, body.score]).toEqual([200, decision, score])
      }))

  it("a score with a list of levels and their descriptions", () =>
    Effect.gen(function* () {
      const levels = ["3", "2", "1"].map((name) => ({ name, description: name === "3" ? "best" : null }))
      const { body } = yield* decide({ text: "a 1", type: "score", question: "How many?", options: levels })
      expect([body.decision, body.score]).toEqual(["1", 1.727273])
    }))

  it("a template, which it names", () =>
    Effect.gen(function* () {
      const { body } = yield* decide({ text: "please route this to sales", template: "routing" })
      expect(body).toMatchObject({ decision: "sales", template: "routing" })
      expect(Object.keys(body.probabilities)).toEqual([
        "billing",
        "technical",
        "sales",
        "account",
        "shipping",
        "security",
        "other"
      ])
    }))

  it("the language template with ISO 639-1 codes", () =>
    Effect.gen(function* () {
      const { body } = yield* decide({
        text: "Guten Morgen, wann wird meine Bestellung geliefert?",
        template: "language"
      })
      expect(body.decision).toBe("de")
      expect(sum(body.probabilities)).toBe(1_000_000)
    }))

  it("the same whatever the order of the options", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const ask = (options: ReadonlyArray<string>) =>
        app.send("POST", "/v1/decide", {
          key,
          body: { text: "blue and green", type: "choice", question: "Which colour?", options, cache: false }
        })
      const one = yield* ask(["red", "green", "blue"])
      const other = yield* ask(["blue", "red", "green"])
      expect(other.body.probabilities).toEqual(one.body.probabilities)
      expect(Object.keys(other.body.probabilities)).toEqual(["blue", "red", "green"])
    }))

  it("with null counting as absent, unknown fields ignored, and any content type", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const reply = yield* app.send("POST", "/v1/decide", {
        key,
        raw: JSON.stringify({
          text: "x",
          template: "spam",
          type: null,
          question: null,
          options: null,
          lang: null,
          model: null,
          cache: null,
          extra: 1
        }),
        headers: { "content-type": "text/plain" }
      })
      expect(reply.status).toBe(200)
    }))

  it("with the model that the text's language needs, and with the one that is named", () =>
    Effect.gen(function* () {
      const german = yield* decide({
        text: "Wo bleibt meine Bestellung? Ich warte seit zwei Wochen.",
        template: "sentiment"
      })
      expect(german.body.model).toBe("svc-multilingual")
      const named = yield* decide({ text: "Wo bleibt meine Bestellung?", template: "sentiment", model: "svc-english" })
      expect(named.body.model).toBe("svc-english")
      const alias = yield* decide({
        text: "Where is my order? I have waited two weeks.",
        template: "sentiment",
        model: "jev-latest"
      })
      expect(alias.body.model).toBe("svc-english")
    }))

  it("and charges one decision, to the micro", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 2 })
      yield* app.send("POST", "/v1/decide", { key, body: { text: "x", template: "spam" } })
      expect(yield* app.balance(accountId)).toEqual({ balance: 15, reserved: 0 })
    }))
})

const nearlyEven = Inference.layerTest((_, { options }, option) =>
  options[option]?.name === "more" ? 0.5000004 : 0.4999996
)

withLayer(testApp({ inference: nearlyEven }))("POST /v1/decide where rounding makes two options equal", (it) => {
  for (const options of [
    ["more", "less"],
    ["less", "more"]
  ])
    it(`chooses the more probable one of ${options.join(" and ")}`, () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const { key } = yield* app.customer()
        const body = { text: "x", type: "choice", question: "Which?", options }
        const reply = yield* app.send("POST", "/v1/decide", { key, body })
        expect(reply.body).toMatchObject({ decision: "more", probabilities: { more: 0.5, less: 0.5 } })
        const level = yield* app.send("POST", "/v1/decide", { key, body: { ...body, type: "score" } })
        expect(level.body).toMatchObject({ decision: "more", probabilities: { more: 0.5, less: 0.5 } })
      }))
})

/** Yes and no are as probable as each other, and so are options that differ in capitals alone. */
const alike = Inference.layerTest((_, { options }, option) => (options[option]?.name === "other" ? 1 : 2))

withLayer(testApp({ inference: alike }))("POST /v1/decide where a model reads options alike", (it) => {
  const decision = Effect.fn(function* (asked: Record<string, unknown>) {
    const app = yield* TestApp
    const { key } = yield* app.customer()
    return (yield* app.send("POST", "/v1/decide", { key, body: { text: "x", question: "Which?", ...asked } })).body
      .decision
  })

  it("chooses the same one whatever their order", () =>
    Effect.gen(function* () {
      const one = yield* decision({ type: "choice", options: ["other", "Refund", "refund"] })
      expect(yield* decision({ type: "choice", options: ["refund", "Refund", "other"] })).toBe(one)
    }))

  it("shows no other with more than the chosen one, where the millionths do not come out even", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const asked = { text: "12345", type: "choice", question: "Which?", options: ["REFUND", "Refund", "refund"] }
      for (const body of [asked, { text: "12345", template: "language" }]) {
        const { decision, probabilities } = (yield* app.send("POST", "/v1/decide", { key, body })).body
        expect(probabilities[decision]).toBe(Math.max(...Object.values<number>(probabilities)))
      }
    }))

  it("says yes to a choice between yes and no as to a yes/no question", () =>
    Effect.gen(function* () {
      expect(yield* decision({ type: "yes_no" })).toBe(true)
      for (const options of [
        ["yes", "no"],
        ["no", "yes"]
      ])
        expect(yield* decision({ type: "choice", options })).toBe("yes")
    }))
})
