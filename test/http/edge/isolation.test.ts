import { expect } from "bun:test"
import { Effect } from "effect"
import { published } from "#test/flows/scene"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

http("One account's key", (it) => {
  it("finds nothing of another account, whatever id it names", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const owner = yield* app.customer()
      const other = yield* app.customer()
      yield* published(owner.accountId, "mine")
      const headers = { "idempotency-key": "ours" }
      const decide = { template: "spam", text: "for the owner alone" }
      const answered = yield* app.send("POST", "/v1/decide", { key: owner.key, body: decide, headers })
      expect((yield* app.send("GET", "/v1/flows/mine", { key: owner.key })).status).toBe(200)

      const attempts = [
        ["GET", "/v1/flows/mine", undefined, 404],
        ["POST", "/v1/flows/mine/run", { text: "x" }, 404],
        ["GET", "/v1/flows", undefined, 200],
        ["GET", "/v1/models", undefined, 200],
        ["GET", "/v1/usage", undefined, 200],
        ["GET", "/v1/templates", undefined, 200],
        ["POST", "/v1/decide", { ...decide, text: "x", model: "mine" }, 422],
        ["POST", "/v1/decide/batch", { template: "spam", texts: ["x"], model: "mine" }, 422],
        ["POST", "/v1/systemone", { state: "x", model: "mine", questions: { q: { type: "noul" } } }, 422],
        ["POST", "/v1/decide", decide, 200]
      ] as const
      for (const [method, path, body, status] of attempts) {
        const reply = yield* app.send(method, path, {
          key: other.key,
          headers,
          ...(body === undefined ? {} : { body })
        })
        expect([path, reply.status]).toEqual([path, status])
        const seen = JSON.stringify(reply.body)
        for (const id of [owner.accountId, owner.keyId, answered.body.request_id, "Front door"])
          expect(seen).not.toContain(id)
        expect(reply.headers.get("idempotent-replayed")).toBeNull()
      }
      expect(yield* app.balance(owner.accountId)).toEqual({ balance: 999 * 15, reserved: 0 })
    }))
})
