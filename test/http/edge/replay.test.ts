import { expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { Keys } from "#src/keys/Keys"
import { TestApp } from "#test/support/app"
import { http, trouble } from "#test/support/service"

const body = { text: "once only", template: "spam", cache: false }

http("A retry", (it) => {
  it("under the same Idempotency-Key gets the stored answer, unbilled", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 10 })
      const headers = { "idempotency-key": "order 17" }
      const first = yield* app.send("POST", "/v1/decide", { key, body, headers })
      const again = yield* app.send("POST", "/v1/decide", { key, body, headers })
      expect(again.status).toBe(200)
      expect(again.body).toEqual(first.body)
      expect(again.headers.get("x-request-id")).toBe(first.headers.get("x-request-id"))
      expect(again.headers.get("idempotent-replayed")).toBe("true")
      expect(yield* app.balance(accountId)).toEqual({ balance: 9 * 15, reserved: 0 })
    }))

  it("with another body under the same key is 422", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const headers = { "idempotency-key": "k" }
      yield* app.send("POST", "/v1/decide", { key, body, headers })
      const other = yield* app.send("POST", "/v1/decide", { key, body: { ...body, text: "another" }, headers })
      expect(other.status).toBe(422)
      expect(other.body.detail).toEqual([
        {
          loc: ["body"],
          msg: "Value error, the Idempotency-Key of this request was used for another one",
          type: "value_error"
        }
      ])
    }))

  for (const [rateLimit, after] of [
    [2, 429],
    [3, 200]
  ] as const)
    it(`with another body counts once in the window: of ${rateLimit} requests, the third is ${after}`, () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const { key } = yield* app.customer({ rateLimit })
        const headers = { "idempotency-key": "counted" }
        const statuses = [
          (yield* app.send("POST", "/v1/decide", { key, body, headers })).status,
          (yield* app.send("POST", "/v1/decide", { key, body: { ...body, text: "another" }, headers })).status,
          (yield* app.send("GET", "/v1/templates", { key })).status
        ]
        expect(statuses).toEqual([200, 422, after])
      }))

  it("counted by the SDKs gets the answer of the first attempt; a new request of the same body does not", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 10 })
      const attempt = (count: string) =>
        app.send("POST", "/v1/decide", { key, body, headers: { "x-typesafe-retry-count": count } })
      const first = yield* attempt("0")
      const retry = yield* attempt("1")
      expect(retry.body.request_id).toBe(first.body.request_id)
      const anew = yield* attempt("0")
      expect(anew.body.request_id).not.toBe(first.body.request_id)
      expect(yield* app.balance(accountId)).toEqual({ balance: 8 * 15, reserved: 0 })
    }))

  it("counted by the SDKs does new work where another body, key or path was answered", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 10 })
      const { secret } = yield* (yield* Keys).create(accountId, "another")
      // Sound at both paths.
      const both = { ...body, texts: ["once only"] }
      const attempt = (
        count: string,
        { path = "/v1/decide", as = key, what = both }: { path?: string; as?: string; what?: typeof both } = {}
      ) => app.send("POST", path, { key: as, body: what, headers: { "x-stainless-retry-count": count } })
      const first = yield* attempt("0")
      const others = [
        yield* attempt("1", { what: { ...both, text: "another" } }),
        yield* attempt("1", { as: Redacted.value(secret) }),
        yield* attempt("1", { path: "/v1/decide/batch" })
      ]
      for (const { status, headers } of others)
        expect([status, headers.get("idempotent-replayed")]).toEqual([200, null])
      expect(new Set([first, ...others].map(({ body }) => body.request_id)).size).toBe(4)
      expect(yield* app.balance(accountId)).toEqual({ balance: 6 * 15, reserved: 0 })
      expect((yield* attempt("1")).body).toEqual(first.body)
      expect(yield* app.balance(accountId)).toEqual({ balance: 6 * 15, reserved: 0 })
    }))

  it("that comes while the first attempt runs waits for it: the work is done once", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 10 })
      const headers = { "idempotency-key": "twice at once" }
      const slow = { ...body, text: trouble.slow }
      const replies = yield* Effect.all(
        Array.from({ length: 8 }, () => app.send("POST", "/v1/decide", { key, body: slow, headers })),
        { concurrency: "unbounded" }
      )
      expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200))
      expect(replies.filter(({ headers }) => headers.get("idempotent-replayed") === "true")).toHaveLength(7)
      expect(new Set(replies.map(({ body }) => body.request_id)).size).toBe(1)
      expect(yield* app.balance(accountId)).toEqual({ balance: 9 * 15, reserved: 0 })
    }))

  it("after a failure does the work anew", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 10 })
      const headers = { "idempotency-key": "later" }
      const failed = { ...body, text: trouble.unavailable }
      expect((yield* app.send("POST", "/v1/decide", { key, body: failed, headers })).status).toBe(503)
      expect((yield* app.send("POST", "/v1/decide", { key, body, headers })).status).toBe(200)
      expect(yield* app.balance(accountId)).toEqual({ balance: 9 * 15, reserved: 0 })
    }))

  it("of a batch in which nothing was answered does the work anew", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 10 })
      const batch = (texts: ReadonlyArray<string>) =>
        app.send("POST", "/v1/decide/batch", {
          key,
          body: { texts, template: "spam", cache: false },
          headers: { "idempotency-key": "a batch" }
        })
      const failed = yield* batch([trouble.unavailable, trouble.unavailable])
      expect(failed.status).toBe(200)
      const again = yield* batch([trouble.unavailable, trouble.unavailable])
      expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, null])
      expect(again.body.request_id).not.toBe(failed.body.request_id)
      expect(yield* app.balance(accountId)).toEqual({ balance: 10 * 15, reserved: 0 })
    }))

  it("of an answer that is too long to be kept does the work anew", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 10 })
      const options = Array.from({ length: 250 }, (_, n) => String(n).padStart(900, "0"))
      const long = { texts: ["a", "b", "c", "d", "e"], type: "choice", question: "Which?", options, cache: false }
      const headers = { "idempotency-key": "long" }
      const first = yield* app.send("POST", "/v1/decide/batch", { key, body: long, headers })
      expect(JSON.stringify(first.body).length).toBeGreaterThan(1024 * 1024)
      const again = yield* app.send("POST", "/v1/decide/batch", { key, body: long, headers })
      expect([first.status, again.status, again.headers.get("idempotent-replayed")]).toEqual([200, 200, null])
      expect(again.body.request_id).not.toBe(first.body.request_id)
      expect(yield* app.balance(accountId)).toEqual({ balance: 0, reserved: 0 })
    }))

  it("of another account under the same Idempotency-Key is its own request", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const one = yield* app.customer()
      const two = yield* app.customer()
      const headers = { "idempotency-key": "shared" }
      const a = yield* app.send("POST", "/v1/decide", { key: one.key, body, headers })
      const b = yield* app.send("POST", "/v1/decide", { key: two.key, body, headers })
      expect(b.body.request_id).not.toBe(a.body.request_id)
    }))
})
