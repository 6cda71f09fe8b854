import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp, testApp } from "#test/support/app"
import { dial } from "#test/support/dial"
import { withLayer } from "#test/support/effect"

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`
const post = (key: string, rest: string) =>
  `POST /v1/decide HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${key}\r\n${rest}`

/** A request of somebody else, who must not notice. */
const served = Effect.gen(function* () {
  const app = yield* TestApp
  expect((yield* app.send("GET", "/health")).status).toBe(200)
})

withLayer(testApp({ settings: { bodySeconds: 1 } }))("The edge, abused", (it) => {
  it("gives a body that does not come a second, and a 408", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const { heard, socket } = yield* Effect.promise(() => dial(app.base, post(key, 'Content-Length: 99\r\n\r\n{"te')))
      yield* served
      yield* Effect.repeat(Effect.delay(Effect.sync(heard), "50 millis"), {
        until: (text) => text.includes("HTTP/1.1")
      })
      expect(heard()).toStartWith("HTTP/1.1 408")
      expect(heard()).toContain('"error_type":"request_timeout"')
      socket.destroy()
    }))

  it("serves others beside thousands of connections that say nothing, or only half of a long head", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const before = process.memoryUsage().rss
      const open = yield* Effect.promise(() =>
        Promise.all(
          Array.from({ length: 2_000 }, (_, i) =>
            dial(app.base, i % 2 === 0 ? "" : `GET /health HTTP/1.1\r\nX-Half: ${"x".repeat(15_000)}`)
          )
        )
      )
      yield* served
      expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024)
      for (const { socket } of open) socket.destroy()
    }))

  it("refuses a flood of headers without reading on", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const flood = Array.from({ length: 5_000 }, (_, i) => `X-${i}: ${"x".repeat(100)}\r\n`).join("")
      const { ended, heard } = yield* Effect.promise(() =>
        dial(app.base, `GET /health HTTP/1.1\r\nHost: h\r\n${flood}\r\n`)
      )
      yield* Effect.promise(() => ended)
      expect(heard()).not.toStartWith("HTTP/1.1 200")
      yield* served
    }))

  it("answers requests that were sent all at once, each in its turn", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const pair = get("/health") + get("/nowhere")
      const { heard, socket } = yield* Effect.promise(() => dial(app.base, pair.repeat(25)))
      const statuses = () => [...heard().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
      yield* Effect.repeat(Effect.delay(Effect.sync(statuses), "20 millis"), { until: ({ length }) => length === 50 })
      expect(statuses()).toEqual(Array.from({ length: 25 }, () => ["200", "404"]).flat())
      socket.destroy()
    }))

  it("says of JSON that is nested too deeply how deep it may be", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const msg = "nested too deeply: at most 200 lists and objects may stand one in the other"
      const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth)
      for (const depth of [200, 1_000, 100_000]) {
        const raw = `{"state":${deep(depth)},"model":"svc-auto","questions":{"q":{"type":"noul"}}}`
        const { status, body } = yield* app.send("POST", "/v1/systemone", { key, raw })
        const detail = [{ loc: ["body"], msg: `Value error, ${msg}`, type: "value_error" }]
        expect({ depth, status, body }).toEqual({ depth, status: 422, body: { detail } })
        const moderated = yield* app.send("POST", "/v1/moderations", { key, raw: `{"input":${deep(depth)}}` })
        const error = { message: `Invalid body: ${msg}.`, type: "invalid_request_error", param: null, code: null }
        expect([depth, moderated.status, moderated.body]).toEqual([depth, 400, { error }])
      }
      const raw = `{"state":${deep(199)},"model":"svc-auto","questions":{"q":{"type":"noul"}}}`
      expect((yield* app.send("POST", "/v1/systemone", { key, raw })).status).toBe(200)
    }))

  it("keeps the room for bodies from strangers, announced or not", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const size = 32 * 1024 * 1024
      const strangers = yield* Effect.promise(() =>
        Promise.all(
          Array.from({ length: 4 }, async (_, i) => {
            const path = i % 2 === 0 ? "session" : "account"
            const length = i % 4 < 2 ? `Content-Length: ${size}` : "Transfer-Encoding: chunked"
            const head = `POST /console/api/${path} HTTP/1.1\r\nHost: h\r\nX-Console: 1\r\nSec-Fetch-Site: same-origin\r\n${length}\r\n\r\n`
            const { socket, heard } = await dial(app.base, head)
            if (length.startsWith("Transfer")) socket.write(`${size.toString(16)}\r\n`)
            socket.write(Buffer.alloc(100_000, " "))
            return { socket, heard }
          })
        )
      )
      yield* Effect.repeat(Effect.delay(Effect.void, "50 millis"), {
        until: () => strangers.every(({ heard }) => heard().includes("HTTP/1.1"))
      })
      for (const { heard } of strangers) {
        expect(heard()).toStartWith("HTTP/1.1 413 ")
        expect(heard()).toContain("may have at most 65536 bytes")
      }
      for (const { socket } of strangers) socket.destroy()
    }))
})
