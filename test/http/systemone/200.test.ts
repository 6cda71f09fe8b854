import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { TestApp, testApp } from "#test/support/app"
import { movableClock } from "#test/support/clock"
import { withLayer } from "#test/support/effect"
import { http } from "#test/support/service"

http("POST /v1/systemone answers", (it) => {
  const ask = Effect.fn(function* (body: Record<string, unknown>) {
    const app = yield* TestApp
    const { key } = yield* app.customer()
    return yield* app.send("POST", "/v1/systemone", { key, body: { model: "svc-auto", cache: false, ...body } })
  })

  it("several questions of all types about one state, billed per question", () =>
    Effect.gen(function* () {
      const { status, headers, body } = yield* ask({
        model: "svc-english",
        state: "The package is late and the customer is angry",
        questions: {
          mood: {
            type: "choice",
            instructions: "How does the customer feel?",
            criteria: { angry: "upset", calm: null }
          },
          late: { type: "noul", instructions: "Is the package late?" },
          harm: { type: "score", instructions: "How bad is it?", criteria: ["fine", "slow", "late"] }
        }
      })
      expect(status).toBe(200)
      expect(body).toEqual({
        model: "svc-english",
        answers: {
          mood: { type: "choice", choice: "angry", confidence: 0.8, probabilities: { angry: 0.9, calm: 0.1 } },
          late: { type: "noul", noul: 0.9, confidence: 0.8 },
          harm: {
            type: "score",
            score: 1.727273,
            confidence: 0.59091,
            probabilities: { "0": 0.090909, "1": 0.090909, "2": 0.818182 },
            legend: { "0": "fine", "1": "slow", "2": "late" }
          }
        },
        usage: { input_tokens: expect.any(Number), output_tokens: 0 },
        meta: {
          checkpoint: expect.stringMatching(/^svc-en-\d{4}$/),
          cached: false,
          latency_ms: expect.any(Number),
          request_id: headers.get("x-request-id"),
          decisions: 3,
          cost_micros: 45,
          cost_usd: 0.000045
        }
      })
    }))

  it("states that are objects, lists, parts or empty", () =>
    Effect.gen(function* () {
      const questions = { q: { type: "noul", instructions: "Does it mention a refund?" } }
      for (const state of [
        { message: "refund me", tags: ["a"] },
        [{ role: "user", text: "refund" }],
        [
          { type: "text", text: "refund" },
          { type: "json", value: { a: 1 } }
        ]
      ])
        expect((yield* ask({ state, questions })).body.answers.q.noul).toBe(0.9)
      expect((yield* ask({ state: "", questions })).body.answers.q.noul).toBe(0.1)
    }))

  it("a list whose items hold more than parts do, as it is", () =>
    Effect.gen(function* () {
      const questions = { q: { type: "noul", instructions: "Is it from a customer?" } }
      const part = { type: "text", text: "Where is it" }
      expect((yield* ask({ state: [part], questions })).body.answers.q.noul).toBe(0.1)
      expect((yield* ask({ state: [{ ...part, from: "customer" }], questions })).body.answers.q.noul).toBe(0.9)
      expect((yield* ask({ state: [{ ...part, value: "customer" }], questions })).body.answers.q.noul).toBe(0.9)
      expect(
        (yield* ask({ state: [{ ...part, providerOptions: { customer: 1 } }], questions })).body.answers.q.noul
      ).toBe(0.1)
    }))

  it("states that differ in the last digit of a long number, each for itself", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const cached = (id: string) =>
        app
          .send("POST", "/v1/systemone", {
            key,
            raw: `{"model": "svc-english", "state": {"id": ${id}}, "questions": {"q": {"type": "noul", "instructions": "Is it late?"}}}`
          })
          .pipe(Effect.map(({ body }) => body.meta.cached))
      expect(yield* cached("1234567890123456788")).toBe(false)
      expect(yield* cached("1234567890123456789")).toBe(false)
      expect(yield* cached("1234567890123456789")).toBe(true)
      expect(yield* cached("1e400")).toBe(false)
      expect(yield* cached("null")).toBe(false)
    }))

  it("keeps long numbers of levels, and of what options and instructions hold, as they were written", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const ask = (question: string) =>
        Effect.map(
          app.send("POST", "/v1/systemone", {
            key,
            raw: `{"model": "svc-english", "state": "x", "questions": {"q": ${question}}}`
          }),
          ({ text, body }) => ({ text, cached: body.meta?.cached })
        )
      const { text } = yield* ask(
        `{"type": "score", "criteria": [12345678901234567890, {"id": 12345678901234567891}, 1e400]}`
      )
      expect(text).toContain('"legend":{"0":12345678901234567890,"1":{"id":12345678901234567891},"2":1e400}')
      const either = (id: string) => ask(`{"type": "choice", "criteria": {"a": {"id": ${id}}, "b": null}}`)
      const about = (id: string) => ask(`{"type": "noul", "instructions": {"is": ${id}}}`)
      for (const told of [either, about]) {
        expect((yield* told("12345678901234567890")).cached).toBe(false)
        expect((yield* told("12345678901234567891")).cached).toBe(false)
        expect((yield* told("12345678901234567890")).cached).toBe(true)
      }
    }))

  it("a question in another language, or with options in one, by the model that reads it, also beside English ones", () =>
    Effect.gen(function* () {
      const english = { type: "noul", instructions: "Does the customer want a refund of the subscription?" }
      const model = (question: Record<string, unknown>) =>
        Effect.map(
          ask({ state: "I was charged twice for my subscription", questions: { english, question, again: english } }),
          ({ body }) => body.model
        )
      expect(yield* model({ type: "noul", instructions: "Is the customer angry?" })).toBe("svc-english")
      expect(yield* model({ type: "noul", instructions: "Le client demande-t-il un remboursement ?" })).toBe(
        "svc-multilingual"
      )
      const criteria = { "eine Erstattung": "das Geld soll zurück", "eine Rechnung": null }
      expect(yield* model({ type: "choice", instructions: "What?", criteria })).toBe("svc-multilingual")
    }))

  it("a single option with certainty, questions without instructions, and aliases of svc-auto", () =>
    Effect.gen(function* () {
      const { body } = yield* ask({
        model: "jev-latest",
        state: "anything at all, in English",
        questions: {
          one: { type: "choice", criteria: { only: null } },
          level: { type: "score", criteria: ["single"] },
          truth: { type: "noul", criteria: { true: "it holds", ignored: 1 } }
        }
      })
      expect(body.answers.one).toEqual({ type: "choice", choice: "only", confidence: 1, probabilities: { only: 1 } })
      expect(body.answers.level).toEqual({
        type: "score",
        score: 0,
        confidence: 1,
        probabilities: { "0": 1 },
        legend: { "0": "single" }
      })
      expect(body.answers.truth.type).toBe("noul")
    }))

  it("with question ids that mean nothing", () =>
    Effect.gen(function* () {
      const { body } = yield* ask({
        state: "x",
        questions: {
          constructor: { type: "noul", instructions: "Is it?" },
          "": { type: "noul", instructions: "Is it?" },
          "10": { type: "noul" }
        }
      })
      expect(Object.keys(body.answers).sort()).toEqual(["", "10", "constructor"])
    }))

  it("with levels that hold options of their own, as they were sent", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const level = '{"options": {"b": 1, "1": 2}}'
      const raw = `{"state": "x", "model": "svc-auto", "questions": {"q": {"type": "score", "criteria": [${level}, "high"]}}}`
      const { body } = yield* app.send("POST", "/v1/systemone", { key, raw })
      expect(body.answers.q.legend).toEqual({ "0": { options: { b: 1, "1": 2 } }, "1": "high" })
    }))

  it("and says when all came from the cache, at the same price", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 10 })
      const body = {
        model: "svc-auto",
        state: "same again",
        questions: { q: { type: "choice", criteria: { same: null, other: null } } }
      }
      const first = yield* app.send("POST", "/v1/systemone", { key, body })
      const turned = { ...body, questions: { q: { type: "choice", criteria: { other: null, same: null } } } }
      const second = yield* app.send("POST", "/v1/systemone", { key, body: turned })
      expect([first.body.meta.cached, second.body.meta.cached]).toEqual([false, true])
      expect(second.body.answers.q.probabilities).toEqual({ other: 0.1, same: 0.9 })
      expect(
        (yield* app.send("POST", "/v1/systemone", { key, body: { ...body, cache: false } })).body.meta.cached
      ).toBe(false)
      const stranger = yield* app.customer()
      expect((yield* app.send("POST", "/v1/systemone", { key: stranger.key, body })).body.meta.cached).toBe(false)
      expect(yield* app.balance(accountId)).toEqual({ balance: 7 * 15, reserved: 0 })
    }))
})

const { clock, setAhead } = movableClock()
const minute = 60_000

withLayer(testApp({ settings: { cacheSeconds: 600 } }).pipe(Layer.provideMerge(clock)))(
  "POST /v1/systemone keeps an answer for ten minutes",
  (it) => {
    it("and no longer because it is asked for together with others, which are not all kept then", () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const { key } = yield* app.customer()
        const cached = Effect.fn(function* (...ids: ReadonlyArray<string>) {
          const questions = Object.fromEntries(ids.map((id) => [id, { type: "noul", instructions: `Is it ${id}?` }]))
          const body = { model: "svc-auto", state: "x", questions }
          return (yield* app.send("POST", "/v1/systemone", { key, body })).body.meta.cached
        })
        expect(yield* cached("red")).toBe(false)
        yield* setAhead(5 * minute)
        expect(yield* cached("red")).toBe(true)
        expect(yield* cached("red", "blue")).toBe(false)
        expect(yield* cached("red", "blue")).toBe(true)
        yield* setAhead(10 * minute)
        expect(yield* cached("blue")).toBe(true)
        expect(yield* cached("red")).toBe(false)
        yield* setAhead(15 * minute)
        expect(yield* cached("blue")).toBe(false)
      }))
  }
)
