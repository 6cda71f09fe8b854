import { expect } from "bun:test"
import { Effect } from "effect"
import { type Customer, TestApp, testApp } from "#test/support/app"
import { dial } from "#test/support/dial"
import { withLayer } from "#test/support/effect"

const decide = { text: "x", template: "spam" }

/** A request whose body stays away: its status. */
const unfinished = (base: string, path: string, key: string) =>
  Effect.promise(async () => {
    const { ended } = await dial(
      base,
      `POST ${path} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${key}\r\nContent-Length: 99\r\n\r\n{"te`
    )
    return Number((await ended).slice("HTTP/1.1 ".length, "HTTP/1.1 200".length))
  })

withLayer(testApp({ settings: { bodySeconds: 1 } }))("A refused request counts in the window, once", (it) => {
  /** The statuses of a free request, the refused one, and free ones until the window is full. */
  const around = Effect.fn(function* (refused: (customer: Customer) => Effect.Effect<number, never, TestApp>) {
    const app = yield* TestApp
    const customer = yield* app.customer({ decisions: 0, rateLimit: 3 })
    const free = Effect.map(app.send("GET", "/v1/templates", { key: customer.key }), ({ status }) => status)
    const statuses = [yield* free, yield* refused(customer), yield* free, yield* free]
    expect(yield* app.balance(customer.accountId)).toEqual({ balance: 0, reserved: 0 })
    return statuses
  })
  const sent = (path: string, what: { readonly body: unknown } | { readonly raw: Uint8Array<ArrayBuffer> }) =>
    around(({ key }) =>
      Effect.flatMap(TestApp, (app) => Effect.map(app.send("POST", path, { key, ...what }), ({ status }) => status))
    )

  for (const [path, body, status] of [
    ["/v1/decide", decide, 402],
    ["/v1/decide/batch", { texts: ["x", "y"], template: "spam" }, 402],
    ["/v1/systemone", { state: "x", model: "svc-auto", questions: { q: { type: "noul" } } }, 402],
    ["/v1/moderations", { input: "x" }, 429],
    ["/v1/moderations", { input: 1 }, 400],
    ["/v1/decide", {}, 422],
    ["/v1/flows/nowhere/run", { text: "x" }, 404]
  ] as const)
    it(`${status} at ${path}`, () =>
      Effect.gen(function* () {
        expect(yield* sent(path, { body })).toEqual([200, status, 200, 429])
      }))

  for (const path of ["/v1/decide", "/v1/moderations"]) {
    it(`413 at ${path}`, () =>
      Effect.gen(function* () {
        const raw = new Uint8Array(33 * 1024 * 1024).fill(0x20)
        expect(yield* sent(path, { raw })).toEqual([200, 413, 200, 429])
      }))

    it(`408 at ${path}`, () =>
      Effect.gen(function* () {
        const late = around(({ key }) => Effect.flatMap(TestApp, ({ base }) => unfinished(base, path, key)))
        expect(yield* late).toEqual([200, 408, 200, 429])
      }))
  }
})
