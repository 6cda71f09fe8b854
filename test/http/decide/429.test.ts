import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

const body = { text: "x", template: "spam" }

http("POST /v1/decide beyond the window", (it) => {
  it("is 429 with the limit in words, retry-after and all three ids, and costs nothing", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 10, rateLimit: 2 })
      yield* app.send("POST", "/v1/decide", { key, body })
      yield* app.send("GET", "/v1/templates", { key })
      const reply = yield* app.send("POST", "/v1/decide", { key, body })
      expect(reply.status).toBe(429)
      expect(reply.body.detail.error_type).toBe("rate_limit_error")
      expect(reply.body.detail.message).toStartWith("Rate limit exceeded: 2 requests per minute.")
      const retryAfter = Number(reply.headers.get("retry-after"))
      expect(retryAfter).toBeWithin(30, 61)
      expect(reply.headers.get("content-type")).toBe("application/json")
      const id = reply.headers.get("x-request-id")
      expect([reply.headers.get("x-svc-request-id"), reply.headers.get("x-typesafe-request-id")]).toEqual([id, id])
      expect(yield* app.balance(accountId)).toEqual({ balance: 9 * 15, reserved: 0 })
    }))

  it("opens again 60 seconds after the first request", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, keyId } = yield* app.customer({ rateLimit: 1 })
      yield* app.send("POST", "/v1/decide", { key, body })
      expect((yield* app.send("POST", "/v1/decide", { key, body })).status).toBe(429)
      yield* app.ageWindow(keyId, 30)
      expect((yield* app.send("POST", "/v1/decide", { key, body })).status).toBe(429)
      yield* app.ageWindow(keyId, 30)
      expect((yield* app.send("POST", "/v1/decide", { key, body })).status).toBe(200)
      expect((yield* app.send("POST", "/v1/decide", { key, body })).status).toBe(429)
    }))

  it(
    "lets exactly 600 of 1,000 concurrent requests in",
    () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const { key, keyId, accountId } = yield* app.customer({ decisions: 5_000 })
        const send = app.send("POST", "/v1/decide", { key, body })
        const first = yield* send
        // A slow machine may take longer than a minute for the others.
        yield* app.ageWindow(keyId, -50)
        const others = yield* Effect.all(
          Array.from({ length: 999 }, () => send),
          { concurrency: 250 }
        )
        const statuses = [first, ...others].map(({ status }) => status)
        expect(statuses.filter((status) => status === 200)).toHaveLength(600)
        expect(statuses.filter((status) => status === 429)).toHaveLength(400)
        expect(yield* app.balance(accountId)).toEqual({ balance: 4_400 * 15, reserved: 0 })
      }),
    180_000
  )

  it("counts a request whose body cannot be read, once", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer({ rateLimit: 3 })
      const statuses = []
      for (let i = 0; i < 4; i++) statuses.push((yield* app.send("POST", "/v1/decide", { key, body: {} })).status)
      expect(statuses).toEqual([422, 422, 422, 429])
    }))
})
