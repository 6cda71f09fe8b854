import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http, trouble } from "#test/support/service"

http("POST /v1/moderations when the models cannot answer", (it) => {
  for (const [text, status] of [
    [trouble.unavailable, 503],
    [trouble.overloaded, 529]
  ] as const) {
    it(`is ${status} server_error with retry-after, all or nothing, and costs nothing`, () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const { key, accountId } = yield* app.customer({ decisions: 16 })
        const reply = yield* app.send("POST", "/v1/moderations", { key, body: { input: ["fine", text] } })
        expect(reply.status).toBe(status)
        expect(reply.body).toEqual({
          error: {
            message: expect.stringContaining("Retry with backoff"),
            type: "server_error",
            param: null,
            code: null
          }
        })
        expect(reply.headers.get("retry-after")).toBe("1")
        expect(yield* app.balance(accountId)).toEqual({ balance: 16 * 15, reserved: 0 })
      }))
  }
})
