import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

const set = (...ids: ReadonlyArray<string>) => ({
  state: "x",
  model: "svc-auto",
  questions: Object.fromEntries(ids.map((id) => [id, { type: "noul" }]))
})

http("POST /v1/systemone/batch", (it) => {
  it("is 402 when the balance does not cover the first set, even if it would a later one", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 2 })
      const body = { requests: [set("a", "b", "c"), set("a")] }
      const reply = yield* app.send("POST", "/v1/systemone/batch", { key, body })
      expect(reply.status).toBe(402)
      expect(reply.body.detail.error_type).toBe("insufficient_credits")
      expect(yield* app.balance(accountId)).toEqual({ balance: 30, reserved: 0 })
    }))
})
