import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http, trouble } from "#test/support/service"

http("POST /v1/decide/batch when the models cannot answer", (it) => {
  it("costs nothing and says so of every text", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 9 })
      const texts = Array(9).fill(trouble.unavailable)
      const { status, body } = yield* app.send("POST", "/v1/decide/batch", { key, body: { texts, template: "spam" } })
      expect(status).toBe(200)
      expect(body.results.map((item: { status: number }) => item.status)).toEqual(Array(9).fill(503))
      expect(body.usage).toEqual({ decisions: 0, failed: 9, cost_micros: 0, cost_usd: 0 })
      expect(yield* app.balance(accountId)).toEqual({ balance: 9 * 15, reserved: 0 })
    }))
})
