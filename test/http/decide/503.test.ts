import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http, trouble } from "#test/support/service"

http("POST /v1/decide when the models cannot answer", (it) => {
  for (const [text, status, errorType] of [
    [trouble.unavailable, 503, "api_error"],
    [trouble.overloaded, 529, "overloaded_error"]
  ] as const) {
    it(`is ${status} ${errorType} with retry-after, and costs nothing`, () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const { key, accountId } = yield* app.customer({ decisions: 1 })
        const reply = yield* app.send("POST", "/v1/decide", { key, body: { text, template: "spam" } })
        expect(reply.status).toBe(status)
        expect(reply.body.detail.error_type).toBe(errorType)
        expect(reply.headers.get("retry-after")).toBe("1")
        expect(yield* app.balance(accountId)).toEqual({ balance: 15, reserved: 0 })
      }))
  }
})
