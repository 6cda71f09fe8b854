import { expect } from "bun:test"
import { Effect } from "effect"
import { Keys } from "#src/keys/Keys"
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

  it("are 25 at most that are active, and the message says what to do", () =>
    Effect.gen(function* () {
      const { send } = yield* visitor
      const make = (name: string) => send("POST", "/keys", { name })
      const made = yield* Effect.forEach(
        Array.from({ length: 25 }, (_, n) => `key ${n}`),
        make
      )
      expect(made.map(({ status }) => status)).toEqual(Array(25).fill(200))
      const refused = yield* make("one more")
      expect(refused.status).toBe(409)
      expect(refused.body.detail.message).toContain("Revoke one")
      expect((yield* send("DELETE", `/keys/${made[3]?.body.id}`)).status).toBe(200)
      expect((yield* make("in its place")).status).toBe(200)
      expect((yield* make("one too many")).status).toBe(409)
      const { keys } = (yield* send("GET", "/keys")).body
      expect(keys.filter((key: { revoked_at: string | null }) => key.revoked_at === null)).toHaveLength(25)
    }))

  it("are 25 also where several are made at once", () =>
    Effect.gen(function* () {
      const { send } = yield* visitor
      for (let n = 1; n <= 24; n++) yield* send("POST", "/keys", { name: `key ${n}` })
      const replies = yield* Effect.all(
        Array.from({ length: 20 }, (_, n) => send("POST", "/keys", { name: `last ${n}` })),
        { concurrency: "unbounded" }
      )
      expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
      expect((yield* send("GET", "/keys")).body.keys).toHaveLength(25)
    }))

  it("are a hundred at most that are made in a quarter of an hour, for they stay in the ledger", () =>
    Effect.gen(function* () {
      const { send } = yield* visitor
      for (let n = 1; n <= 100; n++) {
        const { status, body } = yield* send("POST", "/keys", { name: `key ${n}` })
        expect(status).toBe(200)
        if (n > 1) yield* send("DELETE", `/keys/${body.id}`)
      }
      const refused = yield* send("POST", "/keys", { name: "one more" })
      expect([refused.status, refused.body.detail.message]).toEqual([429, expect.stringContaining("minutes")])
    }))

  it("are listed with the hundred that were made last of those revoked", () =>
    Effect.gen(function* () {
      const keys = yield* Keys
      const { send, accountId } = yield* visitor
      const active = yield* keys.create(accountId, "active")
      for (let n = 1; n <= 103; n++) yield* keys.revoke(accountId, (yield* keys.create(accountId, `old ${n}`)).id)
      const listed = (yield* send("GET", "/keys")).body.keys.map(({ name }: { name: string }) => name)
      expect(listed).toEqual([active.name, ...Array.from({ length: 100 }, (_, n) => `old ${n + 4}`)])
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
