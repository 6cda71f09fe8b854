import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

http("POST /v1/systemone without credit", (it) => {
  it("is 402 when the balance does not cover all of its questions, and costs nothing", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 1 })
      const questions = { a: { type: "noul", instructions: "Is it?" }, b: { type: "noul", instructions: "Is it?" } }
      const reply = yield* app.send("POST", "/v1/systemone", {
        key,
        body: { model: "svc-auto", state: "x", questions }
      })
      expect([reply.status, reply.body.detail.error_type]).toEqual([402, "insufficient_credits"])
      expect(yield* app.balance(accountId)).toEqual({ balance: 15, reserved: 0 })
    }))
})
