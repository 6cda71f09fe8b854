import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
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
})
