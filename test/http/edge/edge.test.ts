import { expect } from "bun:test"
import { connect } from "node:net"
import { Effect } from "effect"
import { type Reply, TestApp } from "#test/support/app"
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
      for (const [method, path, allow] of [
        ["POST", "/docs", "GET, HEAD"],
        ["POST", "/openapi.json", "GET, HEAD"],
        ["POST", "/health", "GET, HEAD"],
        ["POST", "/health/ready", "GET, HEAD"],
        ["POST", "/v1/models", "GET, HEAD"],
        ["OPTIONS", "/v1/usage", "GET, HEAD"],
        ["HEAD", "/v1/decide", "POST"],
        ["OPTIONS", "/v1/decide", "POST"],
        ["POST", "/console", "GET, HEAD"],
        ["POST", "/console/keys", "GET, HEAD"],
        ["PUT", "/console/api/keys", "GET, HEAD, POST"],
        ["PUT", "/console/api/session", "DELETE, GET, HEAD, POST"]
      ] as const) {
        const { status, headers } = yield* app.send(method, path)
        expect([path, status, headers.get("allow")]).toEqual([path, 405, allow])
      }
    }))

  it("answers HEAD as it would GET, without the body", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      for (const [path, status] of [
        ["/v1/templates", 200],
        ["/v1/usage?days=0", 422],
        ["/v1/flows/never-made", 404],
        ["/v1/%zz", 404],
        ["/nowhere", 404],
        ["/openapi.json", 200],
        ["/console", 200],
        ["/console/api/keys", 401]
      ] as const) {
        const [get, head] = yield* Effect.all([app.send("GET", path, { key }), app.send("HEAD", path, { key })])
        const told = ({ headers }: Reply) =>
          [...headers].filter(([name]) => !/^date$|request-id$/.test(name)).toSorted(([a], [b]) => a.localeCompare(b))
        expect([path, get.status, head.status, head.body]).toEqual([path, status, status, ""])
        expect([path, told(head)]).toEqual([path, told(get)])
      }
    }))

  it("says so too where the router looks past how the path is written", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const written = ["/v1/decide/", "//v1//decide", "/V1/Decide", "/v1/decide;x=1", "/v1/decide/?x=/"]
      for (const path of written) {
        const wrong = yield* app.send("GET", path, { key })
        expect([path, wrong.status, wrong.headers.get("allow")]).toEqual([path, 405, "POST"])
        const right = yield* app.send("POST", path, { key, body: { text: "x", template: "spam" } })
        expect([path, right.status]).toEqual([path, 200])
      }
    }))

  it("finds nothing at a path whose escapes mean nothing", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      for (const [method, path] of [
        ["POST", "/v1/flows/%ff/run"],
        ["GET", "/v1/flows/%E0%A4%A"],
        ["GET", "/v1/flows/%00"],
        ["GET", "/v1/%zz"],
        ["GET", "/%"],
        ["GET", "/console/%ff"],
        ["GET", "/console/assets/%"],
        ["GET", "/console/api/flows/%ff"]
      ] as const) {
        const reply = yield* app.send(method, path, { key, ...(method === "POST" ? { body: { text: "x" } } : {}) })
        expect([path, reply.status, reply.body.detail.error_type]).toEqual([path, 404, "not_found"])
      }
    }))

  it("lets no browser guess what an answer is, load anything for it or show it in a frame", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const pages = [yield* app.send("GET", "/docs"), yield* app.send("GET", "/console")]
      const answers = yield* Effect.forEach(["/v1/templates", "/nowhere", "/health", "/console/api/session"], (path) =>
        app.send("GET", path)
      )
      for (const { headers } of [...pages, ...answers]) {
        expect(headers.get("x-content-type-options")).toBe("nosniff")
        expect(headers.get("x-frame-options")).toBe("DENY")
        const policy = headers.get("content-security-policy") ?? ""
        expect(policy).toStartWith("default-src 'none'; ")
        expect(policy).toContain("frame-ancestors 'none'")
        expect(policy).not.toMatch(/https?:|\*|script-src [^;]*'unsafe/)
      }
      for (const { headers } of pages) {
        expect(headers.get("content-security-policy")).toContain("'sha256-")
        expect(headers.get("referrer-policy")).toBe("no-referrer")
      }
      for (const { headers } of answers) expect(headers.get("content-security-policy")).not.toContain("script-src")
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

  it("refuses an announced body at its head, however large", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      for (const bytes of [70_000_000, 70_000_000_000]) {
        const head = `POST /v1/decide HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${bytes}\r\n\r\n`
        const heard = yield* Effect.promise(
          () =>
            new Promise<string>((done) => {
              const socket = connect(Number(new URL(app.base).port), "127.0.0.1", () => socket.write(head))
              socket.once("data", (chunk) => {
                done(String(chunk))
                socket.destroy()
              })
            })
        )
        expect(heard).toStartWith("HTTP/1.1 413 ")
        expect(heard).toMatch(/^x-request-id: req_\w+\r$/m)
        expect(heard).toContain('"error_type":"request_too_large"')
      }
    }))

  it("is ready when database and models answer", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const reply = yield* app.send("GET", "/health/ready")
      expect(reply.status).toBe(200)
      expect(reply.body).toEqual({ status: "ready", database: true, models: true })
    }))
})
