import { expect } from "bun:test"
import { Effect } from "effect"
import { Limits } from "#schema/Limits"
import { TestApp } from "#test/support/app"
import { http, trouble } from "#test/support/service"

const urgent = { type: "noul", instructions: "Is it urgent?" }
const asking = (questions: number) => Object.fromEntries(Array.from({ length: questions }, (_, i) => [`q${i}`, urgent]))
const set = (state: unknown, questions = 1, model = "svc-auto") => ({ state, model, questions: asking(questions) })

http("POST /v1/systemone/batch answers", (it) => {
  const batch = Effect.fn(function* (requests: ReadonlyArray<unknown>, decisions = 1000) {
    const app = yield* TestApp
    const { key, accountId } = yield* app.customer({ decisions })
    const reply = yield* app.send("POST", "/v1/systemone/batch", { key, body: { requests } })
    const { balance, reserved } = yield* app.balance(accountId)
    expect(reserved).toBe(0)
    return { ...reply, left: balance / 15 }
  })
  const statuses = (body: { responses: ReadonlyArray<{ status: number }> }) =>
    body.responses.map(({ status }) => status)

  it("64 sets of 4 questions, each in its place, billed per question", () =>
    Effect.gen(function* () {
      const requests = Array.from({ length: 64 }, (_, i) => set(i % 3 === 0 ? `urgent ${i}` : { calm: i }, 4))
      const { status, headers, body, left } = yield* batch(requests, 257)
      expect(status).toBe(200)
      expect(body.request_id).toBe(headers.get("x-request-id"))
      expect(
        body.responses.map((item: { index: number; body: { answers: { q3: { noul: number } } } }) => [
          item.index,
          item.body.answers.q3.noul
        ])
      ).toEqual(requests.map((_, i) => [i, i % 3 === 0 ? 0.9 : 0.1]))
      expect(body.responses[0].body.meta).toMatchObject({ decisions: 4, cost_micros: 60, request_id: body.request_id })
      expect(left).toBe(1)
    }))

  it("the others when some fail, which carry status and detail and are not billed", () =>
    Effect.gen(function* () {
      const { body, left } = yield* batch(
        [set("a", 2), set(trouble.unavailable, 3), set("x", 1, "nonesuch"), set(trouble.overloaded), set("b")],
        10
      )
      expect(statuses(body)).toEqual([200, 503, 422, 529, 200])
      expect(body.responses[1]).toEqual({
        index: 1,
        status: 503,
        body: {
          detail: { error_type: "api_error", message: "The service is briefly unavailable. Retry with backoff." }
        }
      })
      expect(body.responses[2].body.detail).toEqual([
        { loc: ["body", "model"], msg: expect.stringContaining("Unknown model"), type: "value_error" }
      ])
      expect(left).toBe(7)
    }))

  it("what the balance covers: a set that is too dear does not keep out a later, cheaper one", () =>
    Effect.gen(function* () {
      const { status, body, left } = yield* batch([set("a", 3), set("b", 4), set("c", 2), set("d", 1)], 6)
      expect(status).toBe(200)
      expect(statuses(body)).toEqual([200, 402, 200, 200])
      expect(body.responses[1].body.detail.error_type).toBe("insufficient_credits")
      expect(left).toBe(0)
    }))

  it("64 states of 32,000 characters", () =>
    Effect.gen(function* () {
      const state = "😀".repeat(Limits.text)
      const { status, body } = yield* batch(Array.from({ length: 64 }, (_, i) => set(`${i} ${state.slice(8)}`)))
      expect(status).toBe(200)
      expect(new Set(statuses(body))).toEqual(new Set([200]))
    }))
})
