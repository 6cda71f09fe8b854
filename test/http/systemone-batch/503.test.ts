import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http, trouble } from "#test/support/service"

http("POST /v1/systemone/batch when the models cannot answer", (it) => {
  it("costs nothing and says so of every set", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 9 })
      const requests = Array(9).fill({
        state: trouble.overloaded,
        model: "svc-auto",
        questions: { q: { type: "noul" } }
      })
      const { status, body } = yield* app.send("POST", "/v1/systemone/batch", { key, body: { requests } })
      expect(status).toBe(200)
      expect(body.responses.map((item: { status: number }) => item.status)).toEqual(Array(9).fill(529))
      expect(yield* app.balance(accountId)).toEqual({ balance: 9 * 15, reserved: 0 })
    }))
})
