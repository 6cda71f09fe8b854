import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"
import { visitor } from "./visitor.ts"

http("Keys in the console", (it) => {
  it("show their secret once, work at once, and stop at once", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { send } = yield* visitor
      const { id, secret } = (yield* send("POST", "/keys", { name: " production " })).body
      expect((yield* app.send("GET", "/v1/templates", { key: secret })).status).toBe(200)
      const [listed] = (yield* send("GET", "/keys")).body.keys
      expect(listed).toMatchObject({ id, name: "production", requests: 1, decisions: 0, revoked_at: null })
      expect(JSON.stringify(listed)).not.toContain(secret)
      expect((yield* send("DELETE", `/keys/${id}`)).status).toBe(200)
      expect((yield* app.send("GET", "/v1/templates", { key: secret })).status).toBe(401)
      expect((yield* send("DELETE", `/keys/${id}`)).status).toBe(404)
    }))

  it("are 25 at most, and the message says what to do", () =>
    Effect.gen(function* () {
      const { send } = yield* visitor
      for (let n = 1; n <= 25; n++) expect((yield* send("POST", "/keys", { name: `key ${n}` })).status).toBe(200)
      const refused = yield* send("POST", "/keys", { name: "one more" })
      expect(refused.status).toBe(409)
      expect(refused.body.detail.message).toContain("Revoke one")
    }))

  it("are unknown by whatever cannot be an id, as flows are", () =>
    Effect.gen(function* () {
      const { send } = yield* visitor
      for (const id of ["%00", "x", "key_", "a".repeat(3_000)]) {
        expect([id, (yield* send("DELETE", `/keys/${id}`)).body.detail.error_type]).toEqual([id, "not_found"])
        expect([id, (yield* send("GET", `/flows/${id}`)).body.detail.error_type]).toEqual([id, "not_found"])
      }
    }))

  it("need a name", () =>
    Effect.gen(function* () {
      const { send } = yield* visitor
      const reply = yield* send("POST", "/keys", { name: "  " })
      expect(reply.status).toBe(422)
      expect(reply.body.detail[0]).toMatchObject({ loc: ["body", "name"], msg: "Give the key a name" })
    }))
})
