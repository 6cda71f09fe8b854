import { expect } from "bun:test"
import { connect } from "node:net"
import { Effect, Layer, Option, Redacted } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"
import { freePort } from "#test/support/ports"

const token = "0123456789abcdef0123456789abcdef"
const port = await freePort()
const url = `http://127.0.0.1:${port}/rpc`

const service = InternalClient.layer({ url, token: Redacted.make(token) }).pipe(
  Layer.provideMerge(
    testApp({
      settings: {
        bodySeconds: 1,
        rpcPort: Option.some(port),
        internalTokens: [{ name: "test", token: Redacted.make(token) }]
      }
    })
  )
)

const post = (body: string | Uint8Array<ArrayBuffer> | ReadableStream, authorization = `Bearer ${token}`) =>
  Effect.promise(() => fetch(url, { method: "POST", headers: { authorization }, body }))

withLayer(service)("A port for insiders", (it) => {
  it("answers procedures, and the HTTP interface has none", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const client = yield* InternalClient
      expect(yield* client.ListTemplates()).toHaveLength(9)
      for (const method of ["GET", "POST"]) expect((yield* app.send(method, "/rpc")).status).toBe(404)
      expect((yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/health`))).status).toBe(404)
    }))

  it("takes procedures alone, and no other method for them", () =>
    Effect.gen(function* () {
      const told = (method: string, path: string) =>
        Effect.promise(async () => {
          const { status, headers } = await fetch(`http://127.0.0.1:${port}${path}`, { method })
          return [status, headers.get("allow")]
        })
      expect(yield* told("GET", "/rpc")).toEqual([405, "POST"])
      // Of what the other port takes it knows no methods, nor does it claim to.
      expect(yield* told("GET", "/v1/decide")).toEqual([404, null])
      expect(yield* told("POST", "/health")).toEqual([404, null])
    }))

  it("takes an empty body for no call", () =>
    Effect.gen(function* () {
      for (const authorization of [`Bearer ${token}`, "Bearer wrong"]) {
        const { status } = yield* post("", authorization)
        expect(status).toBe(200)
      }
    }))

  it("refuses a stranger whose call is none, and knows no fault of its own", () =>
    Effect.gen(function* () {
      const call = { _tag: "Request", id: "1", tag: "ListTemplates", payload: null }
      for (const headers of [undefined, 5, [1]]) {
        const { status } = yield* post(`${JSON.stringify({ ...call, headers })}\n`, "Bearer wrong")
        expect([headers, status]).toEqual([headers, 401])
      }
    }))

  it("lies behind the edge: every answer has an id, bodies are bounded in size and time", () =>
    Effect.gen(function* () {
      const elsewhere = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/nowhere`))
      expect([elsewhere.status, elsewhere.headers.get("x-request-id")]).toEqual([404, expect.stringMatching(/^req_/)])
      expect((yield* post(new Uint8Array(33 * 1024 * 1024))).status).toBe(413)
      const late = yield* Effect.promise(
        () =>
          new Promise<string>((done) => {
            const socket = connect(port, "127.0.0.1", () =>
              socket.write(
                `POST /rpc HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${token}\r\nContent-Length: 99\r\n\r\n{"_t`
              )
            )
            socket.on("data", (chunk) => {
              done(String(chunk))
              socket.destroy()
            })
          })
      )
      expect(late).toStartWith("HTTP/1.1 408")
    }))

  it("reads no more of a stranger than it takes to say so", () =>
    Effect.gen(function* () {
      const long = "x".repeat(100_000)
      const told = yield* post(long, "Bearer wrong")
      expect(told.status).toBe(401)
      expect(yield* Effect.promise(() => told.json())).toMatchObject({ detail: { error_type: "authentication_error" } })
      expect((yield* post(new Blob([long]).stream(), "Bearer wrong")).status).toBe(401)
      const stranger = InternalClient.layer({ url, token: Redacted.make("wrong") })
      const failed = yield* Effect.flip(
        Effect.flatMap(InternalClient, (client) => client.ListTemplates()).pipe(Effect.provide(stranger))
      )
      expect(failed._tag).toBe("WrongToken")
    }))
})
