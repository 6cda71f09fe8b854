import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

const ids = ["x-request-id", "x-svc-request-id", "x-typesafe-request-id"]

http("The edge", (it) => {
  it("names every answer with three equal ids, on every status", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const replies = yield* Effect.all([
        app.send("GET", "/v1/templates", { key }),
        app.send("GET", "/v1/templates"),
        app.send("GET", "/nowhere"),
        app.send("GET", "/v1/decide", { key }),
        app.send("POST", "/v1/decide", { key, raw: "{" }),
        app.send("GET", "/health"),
        app.send("GET", "/openapi.json")
      ])
      expect(replies.map(({ status }) => status)).toEqual([200, 401, 404, 405, 422, 200, 200])
      for (const { headers } of replies) {
        const [first = null, ...others] = ids.map((name) => headers.get(name))
        expect(first).toMatch(/^req_[0-9A-Za-z]{21}$/)
        expect(others).toEqual([first, first])
      }
    }))

  it("says which methods a path takes", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const reply = yield* app.send("DELETE", "/v1/decide")
      expect(reply.status).toBe(405)
      expect(reply.headers.get("allow")).toBe("POST")
      expect(reply.body.detail).toEqual({ error_type: "method_not_allowed", message: "This path takes POST." })
    }))

  it("finds nothing at a path whose escapes mean nothing", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const reply = yield* app.send("POST", "/v1/flows/%ff/run", { key, body: { text: "x" } })
      expect([reply.status, reply.body.detail.error_type]).toEqual([404, "not_found"])
    }))

  it("lets no browser guess what an answer is, nor the page of the interface load anything", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const page = yield* app.send("GET", "/docs")
      const policy = page.headers.get("content-security-policy") ?? ""
      expect(policy).toStartWith("default-src 'none'; script-src 'sha256-")
      expect(policy).not.toMatch(/https?:|\*|script-src [^;]*'unsafe/)
      for (const { headers } of [page, yield* app.send("GET", "/v1/templates"), yield* app.send("GET", "/nowhere")])
        expect(headers.get("x-content-type-options")).toBe("nosniff")
    }))

  it("refuses a body that is larger than any valid request, announced or not", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const raw = new Uint8Array(33 * 1024 * 1024).fill(0x20)
      const announced = yield* app.send("POST", "/v1/decide", { key, raw })
      expect(announced.status).toBe(413)
      expect(announced.body.detail.error_type).toBe("request_too_large")
      const stream = yield* Effect.promise(() =>
        fetch(`${app.base}/v1/decide`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}` },
          body: new Blob([raw]).stream()
        })
      )
      expect(stream.status).toBe(413)
    }))

  it("is ready when database and models answer", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const reply = yield* app.send("GET", "/health/ready")
      expect(reply.status).toBe(200)
      expect(reply.body).toEqual({ status: "ready", database: true, models: true })
    }))
})
