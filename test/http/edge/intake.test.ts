import { expect } from "bun:test"
import { Effect, Fiber } from "effect"
import { answeringWith } from "#test/support/answering"
import { type Reply, TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"

const megabyte = 1024 * 1024
const held = "this is held"

/** Lets the model answer about texts that are held, and tells of each that was asked about: its body is read to the end. */
const answered = Effect.unsafeMakeLatch()
let asked = 0

const inference = answeringWith((ask, plain) =>
  ask.state === held
    ? Effect.zipRight(
        Effect.sync(() => asked++),
        answered.whenOpen(Effect.suspend(() => plain(ask)))
      )
    : plain(ask)
)

/** A sound body, made this long by spaces. */
const padded = (body: unknown, megabytes: number) => {
  const raw = new Uint8Array(megabytes * megabyte).fill(0x20)
  raw.set(new TextEncoder().encode(JSON.stringify(body)))
  return raw
}

const message = "The service is busy. Retry with backoff."

withLayer(testApp({ inference, settings: { bodySeconds: 60 } }))("Bodies of 256 MB in all", (it) => {
  it("leave no room for another, which is 529 until they are answered", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const { key: other, accountId } = yield* app.customer({ decisions: 20 })
      const raw = padded({ text: held, template: "spam", cache: false }, 31)
      const held248 = yield* Effect.fork(
        Effect.all(
          Array.from({ length: 8 }, () => app.send("POST", "/v1/decide", { key, raw })),
          { concurrency: "unbounded" }
        )
      )
      yield* Effect.repeat(Effect.sleep("20 millis"), { until: () => asked === 8 })

      const decide = app.send("POST", "/v1/decide", { key: other, raw: padded({ text: "x", template: "spam" }, 9) })
      const moderate = app.send("POST", "/v1/moderations", { key: other, raw: padded({ input: "x" }, 9) })
      const told = ({ status, headers, body }: Reply) => [status, headers.get("retry-after"), body]
      expect(told(yield* decide)).toEqual([529, "1", { detail: { error_type: "overloaded_error", message } }])
      expect(told(yield* moderate)).toEqual([
        529,
        "1",
        { error: { message, type: "server_error", param: null, code: null } }
      ])
      expect(yield* app.balance(accountId)).toEqual({ balance: 20 * 15, reserved: 0 })
      const small = app.send("POST", "/v1/decide", { key: other, body: { text: "small", template: "spam" } })
      expect((yield* small).status).toBe(200)

      yield* answered.open
      expect((yield* Fiber.join(held248)).map(({ status }) => status)).toEqual(Array(8).fill(200))
      expect((yield* decide).status).toBe(200)
      expect((yield* moderate).status).toBe(200)
      expect(yield* app.balance(accountId)).toEqual({ balance: 10 * 15, reserved: 0 })
    }))
})
