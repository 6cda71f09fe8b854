import { expect } from "bun:test"
import { Effect } from "effect"
import { published } from "#test/flows/scene"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

http("Flows", (it) => {
  it("count in the window, free or not, found or not; beyond it nothing runs", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 9, rateLimit: 4 })
      yield* published(accountId, "front-door")
      const run = app.send("POST", "/v1/flows/front-door/run", { key, body: { text: "urgent" } })
      expect((yield* app.send("GET", "/v1/flows", { key })).status).toBe(200)
      expect((yield* app.send("GET", "/v1/flows/front-door", { key })).status).toBe(200)
      expect((yield* app.send("GET", "/v1/flows/unknown", { key })).status).toBe(404)
      expect((yield* run).status).toBe(200)
      for (const request of [
        run,
        app.send("GET", "/v1/flows", { key }),
        app.send("GET", "/v1/flows/unknown", { key })
      ]) {
        const { status, headers, body } = yield* request
        expect(status).toBe(429)
        expect(body.detail).toMatchObject({
          error_type: "rate_limit_error",
          message: expect.stringContaining("4 requests per minute")
        })
        expect(Number(headers.get("retry-after"))).toBeWithin(1, 61)
      }
      expect(yield* app.balance(accountId)).toEqual({ balance: 8 * 15, reserved: 0 })
    }))
})
