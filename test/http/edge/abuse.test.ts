import { expect } from "bun:test"
import { connect, type Socket } from "node:net"
import { Effect } from "effect"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"

/** Opens a connection, says something, and collects what comes back. */
const dial = (base: string, text: string) =>
  new Promise<{ readonly socket: Socket; readonly heard: () => string; readonly ended: Promise<string> }>((done) => {
    let heard = ""
    const socket = connect(Number(new URL(base).port), "127.0.0.1", () =>
      socket.write(text, () => done({ socket, heard: () => heard, ended }))
    )
    socket.on("data", (chunk) => {
      heard += String(chunk)
    })
    socket.on("error", () => {})
    const ended = new Promise<string>((end) => socket.on("close", () => end(heard)))
  })

const get = "GET /health HTTP/1.1\r\nHost: h\r\n\r\n"
const post = (key: string, rest: string) =>
  `POST /v1/decide HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${key}\r\n${rest}`

/** A request of somebody else, who must not notice. */
const served = Effect.gen(function* () {
  const app = yield* TestApp
  const [took, { status }] = yield* Effect.timed(app.send("GET", "/health"))
  expect(status).toBe(200)
  return took
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
      const { heard, socket } = yield* Effect.promise(() => dial(app.base, get.repeat(50)))
      const answers = () => heard().split("HTTP/1.1 200").length - 1
      yield* Effect.repeat(Effect.delay(Effect.sync(answers), "20 millis"), { until: (count) => count === 50 })
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

  it("holds no more of all bodies together than there is room for", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const raw = new Uint8Array(30 * 1024 * 1024).fill(0x20)
      const statuses = yield* Effect.all(
        Array.from({ length: 10 }, () =>
          Effect.map(app.send("POST", "/v1/decide", { key, raw }), ({ status }) => status)
        ),
        { concurrency: "unbounded" }
      )
      for (const status of statuses) expect([408, 422, 529]).toContain(status)
      const again = yield* app.send("POST", "/v1/decide", { key, body: { template: "spam", text: "and on" } })
      expect(again.status).toBe(200)
    }))
})
