import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

http("POST /v1/decide/batch", (it) => {
  it("is 422 as a whole with each text that is wrong, and decides about none", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 5 })
      const body = { texts: ["fine", 1, "x".repeat(32_001), null], template: "spams" }
      const reply = yield* app.send("POST", "/v1/decide/batch", { key, body })
      expect(reply.status).toBe(422)
      const said = reply.body.detail.map(({ loc, type }: { loc: ReadonlyArray<unknown>; type: string }) => [
        ...loc,
        type
      ])
      expect(said).toHaveLength(4)
      for (const one of [
        ["body", "template", "literal_error"],
        ["body", "texts", 1, "string_type"],
        ["body", "texts", 2, "string_too_long"],
        ["body", "texts", 3, "string_type"]
      ])
        expect(said).toContainEqual(one)
      expect(yield* app.balance(accountId)).toEqual({ balance: 75, reserved: 0 })
    }))
})
