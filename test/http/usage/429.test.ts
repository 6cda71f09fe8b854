import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

http("GET /v1/usage", (it) => {
  it("counts in the window though it is free", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer({ rateLimit: 1 })
      expect((yield* app.send("GET", "/v1/usage", { key })).status).toBe(200)
      expect((yield* app.send("GET", "/v1/usage", { key })).status).toBe(429)
    }))
})
