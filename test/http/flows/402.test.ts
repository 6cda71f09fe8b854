import { expect } from "bun:test"
import { Effect } from "effect"
import { published } from "#test/flows/scene"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

http("POST /v1/flows/{slug}/run", (it) => {
  const run = Effect.fn(function* (decisions: number) {
    const app = yield* TestApp
    const { key, accountId } = yield* app.customer({ decisions })
    yield* published(accountId, "front-door")
    const reply = yield* app.send("POST", "/v1/flows/front-door/run", { key, body: { text: "urgent" } })
    return { ...reply, left: yield* app.balance(accountId) }
  })

  it("is 402 where the balance does not cover the longest path, though the shortest would do", () =>
    Effect.gen(function* () {
      for (const decisions of [0, 1, 2]) {
        const { status, body, left } = yield* run(decisions)
        expect(status).toBe(402)
        expect(body.detail.error_type).toBe("insufficient_credits")
        expect(left).toEqual({ balance: decisions * 15, reserved: 0 })
      }
    }))

  it("runs where it covers exactly the longest path, and gives back what was not asked", () =>
    Effect.gen(function* () {
      const { status, left } = yield* run(3)
      expect(status).toBe(200)
      expect(left).toEqual({ balance: 2 * 15, reserved: 0 })
    }))
})
