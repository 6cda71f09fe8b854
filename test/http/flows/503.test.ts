import { expect } from "bun:test"
import { Effect } from "effect"
import { Runs } from "#src/flows/Runs"
import { published } from "#test/flows/scene"
import { TestApp } from "#test/support/app"
import { http, trouble } from "#test/support/service"

http("POST /v1/flows/{slug}/run when it cannot be answered", (it) => {
  for (const [text, status, errorType] of [
    [trouble.unavailable, 503, "api_error"],
    [trouble.overloaded, 529, "overloaded_error"]
  ] as const)
    it(`is ${status} ${errorType} with retry-after, and costs nothing`, () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const { key, accountId } = yield* app.customer({ decisions: 3 })
        yield* published(accountId, "front-door")
        const reply = yield* app.send("POST", "/v1/flows/front-door/run", { key, body: { text } })
        expect(reply.status).toBe(status)
        expect(reply.body.detail.error_type).toBe(errorType)
        expect(reply.headers.get("retry-after")).toBe("1")
        expect(yield* app.balance(accountId)).toEqual({ balance: 45, reserved: 0 })
      }))

  it("gives no answer that was not paid for: a path longer than what was reserved is unavailable", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const runs = yield* Runs
      const { accountId } = yield* app.customer()
      yield* published(accountId, "front-door")
      const run = (reserved: number) =>
        runs.run(accountId, "front-door", { requestId: "req_late", text: "sales" }, reserved)
      expect(yield* Effect.flip(run(2))).toMatchObject({ _tag: "Unavailable" })
      expect((yield* run(3)).steps).toHaveLength(3)
    }))
})
