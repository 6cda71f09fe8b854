import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

http("POST /v1/decide/batch", (it) => {
  it("is 402 when the balance does not cover a single text", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer({ decisions: 0 })
      const body = { texts: ["a", "b"], template: "spam" }
      const reply = yield* app.send("POST", "/v1/decide/batch", { key, body })
      expect(reply.status).toBe(402)
      expect(reply.body.detail.error_type).toBe("insufficient_credits")
    }))
})
