import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

http("POST /v1/systemone/batch is 429 when the window is full", (it) => {
  it("and counts once, however many items it has", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 100, rateLimit: 2 })
      const send = app.send("POST", "/v1/systemone/batch", {
        key,
        raw: '{"requests":[{"state":"a","model":"svc-auto","questions":{"q":{"type":"noul"},"r":{"type":"noul"}}}]}'
      })
      expect((yield* send).status).toBe(200)
      expect((yield* send).status).toBe(200)
      const before = yield* app.balance(accountId)
      const { status, headers, body } = yield* send
      expect(status).toBe(429)
      expect(body.detail.error_type).toBe("rate_limit_error")
      expect(body.detail.message).toContain("2 requests per minute")
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(50)
      expect(yield* app.balance(accountId)).toEqual(before)
    }))
})
