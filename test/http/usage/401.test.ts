import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

http("GET /v1/usage", (it) => {
  it("is 401 without a key or with an unknown one, whatever the query", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      for (const query of ["", "?days=7", "?days=never"]) {
        expect((yield* app.send("GET", `/v1/usage${query}`)).status).toBe(401)
        const unknown = yield* app.send("GET", `/v1/usage${query}`, { key: "svc_nothing" })
        expect(unknown.status).toBe(401)
        expect(unknown.body.detail.error_type).toBe("authentication_error")
      }
    }))
})
