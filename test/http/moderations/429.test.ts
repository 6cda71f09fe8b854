import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

http("POST /v1/moderations is 429", (it) => {
  it("with insufficient_quota, and no use in retrying, when the balance does not cover every input", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 15 })
      const { status, headers, body } = yield* app.send("POST", "/v1/moderations", { key, body: { input: ["a", "b"] } })
      expect(status).toBe(429)
      expect(body).toEqual({
        error: {
          message: "Your credit balance does not cover this request. Ask the operator of this service for credit.",
          type: "insufficient_quota",
          param: null,
          code: "insufficient_quota"
        }
      })
      expect(headers.get("x-should-retry")).toBe("false")
      expect(yield* app.balance(accountId)).toEqual({ balance: 15 * 15, reserved: 0 })
    }))

  it("with rate_limit_exceeded and the seconds to wait, when the window is full, whatever the body", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 8, rateLimit: 1 })
      const send = (raw: string) => app.send("POST", "/v1/moderations", { key, raw })
      expect((yield* send('{"input": 1}')).status).toBe(400)
      for (const raw of ['{"input": "x"}', "{"]) {
        const { status, headers, body } = yield* send(raw)
        expect(status).toBe(429)
        const seconds = Number(headers.get("retry-after"))
        expect(seconds).toBeGreaterThan(50)
        expect(seconds).toBeLessThanOrEqual(60)
        expect(headers.has("x-should-retry")).toBe(false)
        expect(body).toEqual({
          error: {
            message: `Rate limit exceeded: 1 requests per minute. Retry after ${seconds} seconds.`,
            type: "requests",
            param: null,
            code: "rate_limit_exceeded"
          }
        })
      }
      expect((yield* app.balance(accountId)).balance).toBe(8 * 15)
    }))
})
