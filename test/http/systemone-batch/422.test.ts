import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

http("POST /v1/systemone/batch", (it) => {
  const refused = Effect.fn(function* (requests: ReadonlyArray<unknown>) {
    const app = yield* TestApp
    const { key, accountId } = yield* app.customer({ decisions: 300 })
    const reply = yield* app.send("POST", "/v1/systemone/batch", { key, body: { requests } })
    expect(reply.status).toBe(422)
    expect(yield* app.balance(accountId)).toEqual({ balance: 300 * 15, reserved: 0 })
    return reply.body.detail.map(({ loc, type }: { loc: ReadonlyArray<unknown>; type: string }) => [...loc, type])
  })
  const set = (questions: number) => ({
    state: "x",
    model: "svc-auto",
    questions: Object.fromEntries(Array.from({ length: questions }, (_, i) => [`q${i}`, { type: "noul" }]))
  })

  it("is 422 with what is wrong in every set", () =>
    Effect.gen(function* () {
      const said = yield* refused([
        set(1),
        { ...set(1), state: 1 },
        "x",
        { ...set(1), questions: { q: { type: "rank" } } }
      ])
      expect(said).toHaveLength(3)
      for (const one of [
        ["body", "requests", 1, "state", "value_error"],
        ["body", "requests", 2, "model_attributes_type"],
        ["body", "requests", 3, "questions", "q", "type", "literal_error"]
      ])
        expect(said).toContainEqual(one)
    }))

  it("is 422 for 257 questions in all, before any of them is asked", () =>
    Effect.gen(function* () {
      const said = yield* refused([...Array.from({ length: 8 }, () => set(32)), set(1)])
      expect(said).toEqual([["body", "value_error"]])
    }))
})
