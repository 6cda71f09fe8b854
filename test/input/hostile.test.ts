import { expect } from "bun:test"
import { gzipSync } from "node:zlib"
import { Effect, FastCheck as fc } from "effect"
import { published } from "#test/flows/scene"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"
import { bytes, huge, large, odd, request, sound, stumbling, written } from "./hostile.ts"

/** Milliseconds within which anything is refused, on a machine that has other things to do. */
const patience = 10_000

http("Hostile input is refused or answered, and nothing breaks", (it) => {
  const scene = Effect.fn(function* () {
    const app = yield* TestApp
    const customer = yield* app.customer({ decisions: 1_000_000, rateLimit: 1_000_000 })
    yield* published(customer.accountId, "hostile")
    const post = async (
      path: string,
      body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
      headers: Record<string, string> = {}
    ) => {
      const reply = await fetch(app.base + path, {
        method: "POST",
        body,
        headers: { authorization: `Bearer ${customer.key}`, ...headers },
        signal: AbortSignal.timeout(patience)
      })
      const answer: unknown = await reply.json()
      expect(reply.headers.get("x-request-id")).toMatch(/^req_/)
      if (reply.status !== 200) expect(answer).toHaveProperty(path === "/v1/moderations" ? "error.message" : "detail")
      return { status: reply.status, answer }
    }
    const unharmed = Effect.gen(function* () {
      expect((yield* app.balance(customer.accountId)).reserved).toBe(0)
      expect((yield* app.send("GET", "/v1/models", { key: customer.key })).status).toBe(200)
    })
    return { app, post, unharmed }
  })
  const refusals = [200, 400, 404, 413, 422]

  it(
    "200 requests with something wrong in them",
    () =>
      Effect.gen(function* () {
        const { post, unharmed } = yield* scene()
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(request, async ({ path, raw, headers }) => {
              const { status } = await post(path, raw, headers)
              expect(refusals).toContain(status)
            }),
            { numRuns: 200 }
          )
        )
        yield* unharmed
      }),
    120_000
  )

  it(
    "every kind of piece at every endpoint, in one field or another, and odd bytes before and after",
    () =>
      Effect.gen(function* () {
        const { post, unharmed } = yield* scene()
        for (const [path, body] of Object.entries(sound)) {
          const bodies = [
            ...stumbling.map((piece, i) => [piece, bytes(written(body, [String(i)], piece))] as const),
            ...odd.flatMap((mark) => {
              const raw = bytes(JSON.stringify(body))
              return [
                [...mark, ...raw],
                [...raw, ...mark]
              ].map((all) => [String(mark), new Uint8Array(all)] as const)
            })
          ]
          for (const [name, raw] of bodies) {
            const { status } = yield* Effect.promise(() => post(path, raw))
            expect({ path, name, refused: refusals.includes(status) }).toEqual({ path, name, refused: true })
          }
        }
        yield* unharmed
      }),
    120_000
  )

  for (const path of Object.keys(sound))
    it(
      `bodies of another size at ${path}`,
      () =>
        Effect.gen(function* () {
          const { post, unharmed } = yield* scene()
          const bodies = path === "/v1/systemone" ? { ...large, ...huge } : large
          for (const [name, body] of Object.entries(bodies)) {
            const [field = ""] = Object.keys(Object(sound[path]))
            const many = { "/v1/systemone": "questions" }[path] ?? field
            const started = performance.now()
            const { status } = yield* Effect.promise(() => post(path, bytes(body.replaceAll("FIELD", many))))
            expect({ name, refused: refusals.includes(status), hung: performance.now() - started > patience }).toEqual({
              name,
              refused: true,
              hung: false
            })
          }
          yield* unharmed
        }),
      120_000
    )

  it("bytes that are packed stay packed: a gzip bomb is no JSON", () =>
    Effect.gen(function* () {
      const { post } = yield* scene()
      const bomb = new Uint8Array(gzipSync(new Uint8Array(200 * 1024 * 1024)))
      const { status } = yield* Effect.promise(() => post("/v1/decide", bomb, { "content-encoding": "gzip" }))
      expect(status).toBe(422)
      const small = new Uint8Array(gzipSync('{"text": "x", "template": "spam"}'))
      const told = yield* Effect.promise(() => post("/v1/decide", small, { "content-encoding": "gzip" }))
      const msg = "Value error, packed bodies are not read: send the JSON as it is, without content-encoding"
      expect(told.answer).toEqual({ detail: [{ loc: ["body"], msg, type: "value_error" }] })
    }))

  it("a stream without end is cut off", () =>
    Effect.gen(function* () {
      const { post, unharmed } = yield* scene()
      const spaces = new Uint8Array(1024 * 1024).fill(0x20)
      let sent = 0
      const endless = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          sent++
          controller.enqueue(spaces)
        }
      })
      const { status } = yield* Effect.promise(() => post("/v1/systemone", endless))
      expect(status).toBe(413)
      expect(sent).toBeLessThan(200)
      yield* unharmed
    }))

  it(
    "the largest text does not hold up the smallest",
    () =>
      Effect.gen(function* () {
        const { post } = yield* scene()
        const heavy = Object.values(large).map((body) => post("/v1/decide", bytes(body.replaceAll("FIELD", "text"))))
        const { status } = yield* Effect.promise(() =>
          post("/v1/decide", JSON.stringify({ text: "x", template: "spam" }))
        )
        expect(status).toBe(200)
        yield* Effect.promise(() => Promise.all(heavy))
      }),
    60_000
  )
})
