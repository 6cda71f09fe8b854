import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

http("POST /v1/systemone is 429 when the window is full", (it) => {
  it("and counts once, however many questions it has", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 10, rateLimit: 1 })
      const questions = { a: { type: "noul" }, b: { type: "noul" } }
      const send = app.send("POST", "/v1/systemone", { key, body: { state: "x", model: "svc-auto", questions } })
      expect((yield* send).status).toBe(200)
      const { status, headers, body } = yield* send
      expect([status, body.detail.error_type]).toEqual([429, "rate_limit_error"])
      expect(body.detail.message).toContain("1 requests per minute")
      expect(Number(headers.get("retry-after"))).toBeWithin(1, 61)
      expect(yield* app.balance(accountId)).toEqual({ balance: 8 * 15, reserved: 0 })
    }))
})
