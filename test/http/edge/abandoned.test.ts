import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

http("A client that goes away", (it) => {
  it("leaves nothing held, at whatever moment it goes", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 1_000 })
      yield* Effect.promise(() =>
        Promise.allSettled(
          Array.from({ length: 60 }, (_, i) =>
            fetch(`${app.base}/v1/decide`, {
              method: "POST",
              headers: { authorization: `Bearer ${key}`, "idempotency-key": String(i % 30) },
              body: JSON.stringify({ template: "spam", text: `number ${i % 30}`, cache: false }),
              signal: AbortSignal.timeout(1 + i)
            })
          )
        )
      )
      const { balance } = yield* Effect.repeat(Effect.delay(app.balance(accountId), "50 millis"), {
        until: ({ reserved }) => reserved === 0
      })
      const again = yield* app.send("POST", "/v1/decide", {
        key,
        body: { template: "spam", text: "number 7", cache: false },
        headers: { "idempotency-key": "7" }
      })
      expect(again.status).toBe(200)
      expect(balance % 15).toBe(0)
    }))
})
