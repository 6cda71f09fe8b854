import { afterAll, expect } from "bun:test"
import { createTypeSafeAi } from "@ai-sdk/typesafe-ai"
import { APICallError, experimental_decide as decide, RetryError } from "ai"
import { Effect, FastCheck as fc } from "effect"
import { TestApp } from "#test/support/app"
import { http, trouble } from "#test/support/service"
import { recorder } from "#test/support/wire"

/** The client refuses any answer that holds this key, also one that a caller put into a level and gets back. */
const refused = "__proto__"
const json = (maxDepth: number) =>
  fc.jsonValue({ maxDepth }).filter((value) => !JSON.stringify(value).includes(JSON.stringify(refused)))
const word = fc.string({ unit: "grapheme", maxLength: 12 }).filter((text) => text !== refused)
const record = fc.dictionary(word, json(2), { noNullPrototype: true })
const entry = fc.oneof(word, record, fc.array(json(1), { maxLength: 3 }))
const description = fc.option(entry)

const question = fc.oneof(
  fc.record({
    type: fc.constant("choice" as const),
    instructions: entry,
    criteria: fc.dictionary(word, description, { minKeys: 1, maxKeys: 20 })
  }),
  fc.record({
    type: fc.constant("score" as const),
    instructions: entry,
    criteria: fc.array(description, { minLength: 1, maxLength: 10 })
  }),
  fc.record({
    type: fc.constant("boolean" as const),
    instructions: entry,
    criteria: fc.record({ true: description, false: description }, { requiredKeys: [] })
  })
)

const request = fc.record({
  state: fc.oneof(
    word,
    record,
    fc.array(
      fc.oneof(
        fc.record({ type: fc.constant("text" as const), text: word }),
        fc.record({ type: fc.constant("json" as const), value: json(2) })
      ),
      { maxLength: 3 }
    )
  ),
  questions: fc.dictionary(word, question, { minKeys: 1, maxKeys: 5 })
})

/** In millionths, which our probabilities are given in; the validator itself asks for less. */
const sum = ({ probabilities }: { readonly probabilities?: Record<string, number> }) =>
  Object.values(probabilities ?? {}).reduce((total, p) => total + Math.round(p * 1_000_000), 0)

/** Where a decision goes whose model is given by name alone. */
const decideAt = (app: (typeof TestApp)["Service"], apiKey: string, wire = recorder()) => {
  globalThis.AI_SDK_DEFAULT_PROVIDER = createTypeSafeAi({
    apiKey,
    baseURL: `${app.base}/v1`,
    fetch: Object.assign(wire.fetch, { preconnect: fetch.preconnect })
  })
  return wire
}

const model = "jev-latest"

http("ai with @ai-sdk/typesafe-ai", (it) => {
  afterAll(() => {
    globalThis.AI_SDK_DEFAULT_PROVIDER = undefined
  })

  const scene = Effect.fn(function* (options: Parameters<(typeof TestApp)["Service"]["customer"]>[0] = {}) {
    const app = yield* TestApp
    const customer = yield* app.customer(options)
    return { app, customer, wire: decideAt(app, customer.key) }
  })

  it("decides about a text", () =>
    Effect.gen(function* () {
      yield* scene()
      const result = yield* Effect.promise(() =>
        decide({
          model,
          state: "This is urgent: I want my refund",
          questions: {
            urgent: { type: "boolean", instructions: "Is it urgent?" },
            topic: {
              type: "choice",
              instructions: "What is it about?",
              criteria: { refund: "money back", other: null }
            },
            level: { type: "score", instructions: "How bad is it?", criteria: ["calm", "urgent"] }
          }
        })
      )
      expect(result.answers.urgent).toEqual({ type: "boolean", probability: 0.9 })
      expect(result.answers.topic).toEqual({
        type: "choice",
        choice: "refund",
        probabilities: { refund: 0.9, other: 0.1 }
      })
      expect(result.answers.level).toEqual({ type: "score", score: 0.9, probabilities: { "0": 0.1, "1": 0.9 } })
      expect(result.response.modelId).toBe("svc-english")
      expect(result.usage.inputTokens).toBeGreaterThan(0)
      expect(result.warnings).toEqual([])
    }))

  it("decides about an object, and about parts of text and JSON", () =>
    Effect.gen(function* () {
      yield* scene()
      const questions = { urgent: { type: "boolean", instructions: "Is `subject` urgent?" } } as const
      for (const state of [
        { subject: "urgent", lines: [1, 2] },
        [
          { type: "text", text: "A mail" },
          { type: "json", value: { subject: "urgent" } }
        ]
      ] as const) {
        const { answers } = yield* Effect.promise(() => decide({ model, state, questions }))
        expect(answers.urgent.probability).toBe(0.9)
      }
    }))

  it(
    "passes the validator on 200 random requests",
    () =>
      Effect.gen(function* () {
        yield* scene({ decisions: 100_000, rateLimit: 10_000 })
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(request, async ({ state, questions }) => {
              const { answers } = await decide({ model, state, questions, maxRetries: 0 })
              expect(Object.keys(answers).sort()).toEqual(Object.keys(questions).sort())
              for (const answer of Object.values(answers))
                if ("probabilities" in answer) expect(sum(answer)).toBe(1_000_000)
            }),
            { numRuns: 200 }
          )
        )
      }),
    60_000
  )

  it("retries a 429 after the seconds that it names", () =>
    Effect.gen(function* () {
      const { app, customer, wire } = yield* scene({ rateLimit: 1 })
      const ask = () =>
        decide({ model, state: "urgent", questions: { urgent: { type: "boolean", instructions: "Is it urgent?" } } })
      yield* Effect.promise(ask)
      yield* app.ageWindow(customer.keyId, 57)
      const { answers } = yield* Effect.promise(ask)
      expect(answers.urgent.probability).toBe(0.9)
      expect(wire.sent.map(({ status }) => status)).toEqual([200, 429, 200])
    }))

  it("says what was refused, and retries only what may pass", () =>
    Effect.gen(function* () {
      const { app } = yield* scene()
      const failure = (key: string, state: string, maxRetries: number) =>
        Effect.promise(async () => {
          const wire = decideAt(app, key)
          try {
            await decide({
              model,
              state,
              maxRetries,
              questions: { q: { type: "boolean", instructions: "Is it urgent?" } }
            })
          } catch (error) {
            return { error, attempts: wire.sent.length }
          }
          throw new Error("it was answered")
        })
      const unknown = yield* failure("svc_wrong", "x", 2)
      expect(unknown.attempts).toBe(1)
      expect(APICallError.isInstance(unknown.error)).toBe(true)
      expect(unknown.error).toMatchObject({
        statusCode: 401,
        message: expect.stringContaining("Invalid or revoked API key")
      })
      const poor = yield* app.customer({ decisions: 0 })
      const unpaid = yield* failure(poor.key, "x", 2)
      expect(unpaid).toMatchObject({ error: { statusCode: 402 }, attempts: 1 })
      const rich = yield* app.customer()
      const busy = yield* failure(rich.key, trouble.overloaded, 1)
      expect(busy.attempts).toBe(2)
      expect(RetryError.isInstance(busy.error)).toBe(true)
      const long = yield* failure(rich.key, "x".repeat(64_001), 2)
      expect(long).toMatchObject({ error: { statusCode: 422 }, attempts: 1 })
    }))
})
