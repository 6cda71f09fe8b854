import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

http("GET /v1/models", (it) => {
  it("wants a key", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const missing = yield* app.send("GET", "/v1/models")
      expect([missing.status, missing.body.detail.error_type]).toEqual([401, "authentication_error"])
      expect((yield* app.send("GET", "/v1/models", { key: "svc_wrong" })).status).toBe(401)
    }))
})
