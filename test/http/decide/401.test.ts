import { expect } from "bun:test"
import { Effect } from "effect"
import { Keys } from "#src/keys/Keys"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

const body = { text: "x", template: "spam" }

http("POST /v1/decide refuses", (it) => {
  it("a request without a key, and says how to send one", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      for (const headers of [{}, { authorization: "Basic c3ZjOng=" }, { authorization: "Bearer" }] as ReadonlyArray<
        Record<string, string>
      >) {
        const reply = yield* app.send("POST", "/v1/decide", { body, headers })
        expect(reply.status).toBe(401)
        expect(reply.body).toEqual({
          detail: {
            error_type: "authentication_error",
            message: "Missing API key. Send it in the `Authorization` header: `Authorization: Bearer <API_KEY>`."
          }
        })
        expect(reply.headers.get("x-request-id")).toMatch(/^req_[0-9A-Za-z]{21}$/)
      }
    }))

  it("a key that cannot be one, one that nobody has, and a revoked one at once", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const keys = yield* Keys
      const { key, accountId, keyId } = yield* app.customer()
      expect((yield* app.send("POST", "/v1/decide", { key, body })).status).toBe(200)
      yield* keys.revoke(accountId, keyId)
      const typo = `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`
      for (const wrong of [key, typo, `${typo} x`, "svc_nothing", "svc_000000000000000000000000000000" + "000000"]) {
        const reply = yield* app.send("POST", "/v1/decide", { key: wrong, body })
        expect(reply.status).toBe(401)
        expect(reply.body.detail.message).toBe("Invalid or revoked API key. Check the key or create a new one.")
      }
    }))

  it("before it looks at the body", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      expect((yield* app.send("POST", "/v1/decide", { raw: "{not json" })).status).toBe(401)
      expect((yield* app.send("POST", "/v1/decide", { key: "svc_nothing", body: {} })).status).toBe(401)
    }))

  it("without counting it: a revoked key's requests fill no window", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const keys = yield* Keys
      const { key, accountId, keyId } = yield* app.customer({ rateLimit: 2 })
      yield* app.send("POST", "/v1/decide", { key, body })
      yield* keys.revoke(accountId, keyId)
      for (let i = 0; i < 4; i++) expect((yield* app.send("POST", "/v1/decide", { key, body })).status).toBe(401)
    }))
})
