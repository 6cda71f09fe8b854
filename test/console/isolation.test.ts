import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"
import { visitor } from "./visitor.ts"

const content = { name: "Mine", definition: { schema: 1, nodes: [], edges: [] } }

http("What belongs to one account", (it) => {
  it("cannot be seen or changed by another: keys", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const owner = yield* visitor
      const other = yield* visitor
      const created = yield* owner.send("POST", "/keys", { name: "mine" })
      expect((yield* other.send("GET", "/keys")).body.keys).toEqual([])
      expect((yield* other.send("DELETE", `/keys/${created.body.id}`)).status).toBe(404)
      expect((yield* app.send("GET", "/v1/models", { key: created.body.secret })).status).toBe(200)
    }))

  it("cannot be seen or changed by another: flows", () =>
    Effect.gen(function* () {
      const owner = yield* visitor
      const other = yield* visitor
      const { id, revision } = (yield* owner.send("POST", "/flows", { slug: "mine", content })).body
      const tries: ReadonlyArray<readonly [string, string, unknown?]> = [
        ["GET", `/flows/${id}`],
        ["POST", `/flows/${id}`, { revision, content }],
        ["POST", `/flows/${id}/slug`, { revision, slug: "theirs" }],
        ["POST", `/flows/${id}/remove`, { revision }],
        ["POST", `/flows/${id}/test`, { text: "x" }],
        ["POST", `/flows/${id}/publish`, { revision }],
        ["POST", `/flows/${id}/unpublish`, { revision }],
        ["GET", `/flows/${id}/versions`],
        ["GET", `/flows/${id}/versions/1`],
        ["POST", `/flows/${id}/versions/1/restore`, { revision }]
      ]
      for (const [method, path, body] of tries)
        expect([path, (yield* other.send(method, path, body)).status]).toEqual([path, 404])
      expect((yield* owner.send("GET", `/flows/${id}`)).body.draft.revision).toBe(revision)
    }))

  it("is counted for that account alone: usage and balance", () =>
    Effect.gen(function* () {
      const owner = yield* visitor
      const other = yield* visitor
      yield* owner.send("POST", "/moderate", { text: "x" })
      expect((yield* owner.send("GET", "/usage?days=7")).body.days).toHaveLength(1)
      expect((yield* other.send("GET", "/usage?days=7")).body.days).toEqual([])
    }))
})

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

  it("need a name", () =>
    Effect.gen(function* () {
      const { send } = yield* visitor
      const reply = yield* send("POST", "/keys", { name: "  " })
      expect(reply.status).toBe(422)
      expect(reply.body.detail[0]).toMatchObject({ loc: ["body", "name"], msg: "Give the key a name" })
    }))
})
