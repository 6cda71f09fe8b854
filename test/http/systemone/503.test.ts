import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http, trouble } from "#test/support/service"

http("POST /v1/systemone when the models cannot answer", (it) => {
  for (const [state, status, errorType] of [
    [trouble.unavailable, 503, "api_error"],
    [trouble.overloaded, 529, "overloaded_error"]
  ] as const)
    it(`is ${status} ${errorType} with retry-after, all or nothing, and costs nothing`, () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const { key, accountId } = yield* app.customer({ decisions: 2 })
        const questions = { a: { type: "noul" }, b: { type: "choice", criteria: { x: null, y: null } } }
        const reply = yield* app.send("POST", "/v1/systemone", { key, body: { state, model: "svc-auto", questions } })
        expect([reply.status, reply.body.detail.error_type]).toEqual([status, errorType])
        expect(reply.headers.get("retry-after")).toBe("1")
        expect(yield* app.balance(accountId)).toEqual({ balance: 30, reserved: 0 })
      }))
})
