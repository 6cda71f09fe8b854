import { expect } from "bun:test"
import { Effect } from "effect"
import { TooLong } from "#src/inference/Protocol"
import { answeringWith } from "#test/support/answering"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"
import { http } from "#test/support/service"

http("POST /v1/systemone finds fault", (it) => {
  const refused = Effect.fn(function* (body: Record<string, unknown>) {
    const app = yield* TestApp
    const { key, accountId } = yield* app.customer({ decisions: 5 })
    const reply = yield* app.send("POST", "/v1/systemone", { key, body })
    expect(reply.status).toBe(422)
    expect(yield* app.balance(accountId)).toEqual({ balance: 75, reserved: 0 })
    return reply.body.detail
  })
  const question = { q: { type: "noul", instructions: "Is it?" } }

  it("for a number as the state, however long it is written", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      for (const state of ["3", "12345678901234567890"]) {
        const raw = `{"state": ${state}, "model": "svc-auto", "questions": {"q": {"type": "noul"}}}`
        const { status, body } = yield* app.send("POST", "/v1/systemone", { key, raw })
        expect(status).toBe(422)
        expect(body.detail.map(({ loc }: { loc: unknown }) => loc)).toEqual([["body", "state"]])
      }
    }))

  it("for a long number where a text, a list or a map belongs, as for a short one", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const found = (id: string) => (question: string) =>
        app
          .send("POST", "/v1/systemone", {
            key,
            raw: `{"state": {"state": 1}, "model": "svc-auto", "questions": {"${id}": ${question}}}`
          })
          .pipe(Effect.map(({ status, body }) => ({ status, ...body })))
      const bodies = (n: string) => [
        `{"type": "choice", "criteria": ${n}}`,
        `{"type": "choice", "criteria": {"a": ${n}, "b": null}}`,
        `{"type": "noul", "criteria": ${n}}`,
        `{"type": "score", "criteria": ${n}}`,
        n
      ]
      for (const id of ["q", "state"]) {
        const short = yield* Effect.forEach(bodies("1"), found(id))
        expect(short.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422])
        for (const long of ["12345678901234567890", "1e400"])
          expect(yield* Effect.forEach(bodies(long), found(id))).toEqual(short)
      }
    }))

  it("with everything at once, each where it is", () =>
    Effect.gen(function* () {
      expect(
        yield* refused({
          state: 3,
          questions: {
            a: { type: "noul", criteria: [] },
            b: { type: "choice" },
            c: { type: "choice", criteria: { x: 1 } },
            d: { type: "score", criteria: {} },
            e: { type: "rank" }
          },
          cache: "yes"
        })
      ).toEqual([
        {
          loc: ["body", "state"],
          msg: "Value error, state should be a string, an object or a list",
          type: "value_error"
        },
        { loc: ["body", "model"], msg: "Field required", type: "missing" },
        { loc: ["body", "questions", "a", "criteria"], msg: "Input should be a valid dictionary", type: "dict_type" },
        { loc: ["body", "questions", "b", "criteria"], msg: "Field required", type: "missing" },
        {
          loc: ["body", "questions", "c", "criteria", "x"],
          msg: "Input should be a valid string",
          type: "string_type"
        },
        { loc: ["body", "questions", "d", "criteria"], msg: "Input should be a valid list", type: "list_type" },
        {
          loc: ["body", "questions", "e", "type"],
          msg: "Input should be 'choice', 'noul' or 'score'",
          type: "literal_error"
        },
        { loc: ["body", "cache"], msg: "Input should be a valid boolean", type: "bool_type" }
      ])
    }))

  it("with 33 questions", () =>
    Effect.gen(function* () {
      const questions = Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`q${i}`, question.q]))
      expect(yield* refused({ state: "x", model: "svc-auto", questions })).toEqual([
        {
          loc: ["body", "questions"],
          msg: "Dictionary should have at most 32 items after validation, not 33",
          type: "too_long"
        }
      ])
    }))

  it("with a model that is not there", () =>
    Effect.gen(function* () {
      const [detail] = yield* refused({ state: "x", model: "gpt-9", questions: question })
      expect(detail).toMatchObject({ loc: ["body", "model"], type: "value_error" })
    }))

  it("with a state that is too long when written as text, and does not cut it", () =>
    Effect.gen(function* () {
      const [detail] = yield* refused({ state: { a: "x".repeat(64_000) }, model: "svc-auto", questions: question })
      expect(detail).toEqual({
        loc: ["body", "state"],
        msg: "Value error, the state has more than 64000 characters when written as text",
        type: "value_error"
      })
    }))

  it("with everything that is too long when written as text, at once", () =>
    Effect.gen(function* () {
      const long = "x".repeat(8_001)
      const detail: ReadonlyArray<{ readonly loc: unknown }> = yield* refused({
        state: ["x".repeat(64_000)],
        model: "svc-auto",
        questions: {
          a: { type: "noul", instructions: long },
          b: question.q,
          c: { type: "choice", criteria: { x: long, y: null } }
        }
      })
      expect(detail.map(({ loc }) => loc)).toEqual([
        ["body", "state"],
        ["body", "questions", "a"],
        ["body", "questions", "c"]
      ])
    }))
})

/** Reads no question of more than 100 characters. */
const short = answeringWith((ask, plain) => {
  const question = ask.questions.findIndex(({ wording }) => wording.length > 100)
  return question < 0 ? plain(ask) : new TooLong({ question, message: "this model reads 100" })
})

withLayer(testApp({ inference: short }))("POST /v1/systemone to a model of a small window finds fault", (it) => {
  it("with the question that is too long for it, whatever was answered before", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const ask = (questions: object) =>
        app.send("POST", "/v1/systemone", { key, body: { state: "x", model: "svc-auto", questions } })
      const known = { type: "noul", instructions: "Is it?" }
      expect((yield* ask({ known })).status).toBe(200)
      const { status, body } = yield* ask({ known, long: { type: "noul", instructions: "is it? ".repeat(60) } })
      expect(status).toBe(422)
      expect(body.detail).toEqual([
        { loc: ["body", "questions", "long"], msg: "Value error, this model reads 100", type: "value_error" }
      ])
    }))
})
