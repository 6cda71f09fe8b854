import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

http("POST /v1/systemone", (it) => {
  it("wants a key, before it looks at the questions", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const missing = yield* app.send("POST", "/v1/systemone", { body: {} })
      expect([missing.status, missing.body.detail.error_type]).toEqual([401, "authentication_error"])
      expect((yield* app.send("POST", "/v1/systemone", { key: "svc_wrong", body: {} })).status).toBe(401)
    }))
})
