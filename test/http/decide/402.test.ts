import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

const body = { text: "x", template: "spam", cache: false }

http("POST /v1/decide without credit", (it) => {
  it("is 402 insufficient_credits and costs nothing", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 0 })
      const reply = yield* app.send("POST", "/v1/decide", { key, body })
      expect(reply.status).toBe(402)
      expect(reply.body).toEqual({
        detail: {
          error_type: "insufficient_credits",
          message: "Your credit balance does not cover this request. Ask the operator of this service for credit."
        }
      })
      expect(yield* app.balance(accountId)).toEqual({ balance: 0, reserved: 0 })
    }))

  it("lets exactly 100 of 300 concurrent requests spend credit for 100", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 100 })
      const replies = yield* Effect.all(
        Array.from({ length: 300 }, () => app.send("POST", "/v1/decide", { key, body })),
        { concurrency: "unbounded" }
      )
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(100)
      expect(replies.filter(({ status }) => status === 402)).toHaveLength(200)
      expect(yield* app.balance(accountId)).toEqual({ balance: 0, reserved: 0 })
    }))
})
