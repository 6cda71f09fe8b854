import { expect } from "bun:test"
import { Cause, Deferred, Effect, Exit, Fiber, FiberId, Redacted, Stream } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { Limits } from "#schema/Limits"
import { mostTexts } from "#schema/rpc/Asking"
import { answeringWith } from "#test/support/answering"
import { TestApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"
import { internalService } from "#test/support/internal"

const token = "0123456789abcdef0123456789abcdef"
const spec = { type: "yes_no", question: "Is it urgent?", cache: false } as const
const billing = "internal"

/** Unbilled work has a quarter of the queue. */
const queueLimit = 12
const share = 3

const gate = Effect.unsafeMakeLatch(false)
const full = Deferred.unsafeMake<void>(FiberId.none)
let running = 0
let most = 0

const whileOpen = Effect.acquireUseRelease(
  Effect.sync(() => {
    most = Math.max(most, ++running)
    if (running === share) Deferred.unsafeDone(full, Effect.void)
  }),
  () => gate.await,
  () => Effect.sync(() => running--)
)

/** Does not answer about texts that are held until the gate opens. */
const inference = answeringWith((ask, plain) =>
  ask.state.startsWith("held") ? Effect.zipRight(whileOpen, plain(ask)) : plain(ask)
)

const settings = { queueLimit, internalTokens: [{ name: "test", token: Redacted.make(token) }] }

withLayer(internalService({ settings, inference }))("What is marked internal", (it) => {
  it("leaves most of the queue to those who pay, however much of it there is", () =>
    Effect.gen(function* () {
      const client = yield* InternalClient
      const service = yield* TestApp
      const { accountId: account } = yield* service.customer({ decisions: 1 })
      const held = (many: number, what: string) => Array.from({ length: many }, (_, i) => `held ${what} ${i}`)
      const unbilled = yield* Effect.fork(
        Effect.all(
          [
            Effect.forEach(held(10, "alone"), (text) => client.Decide({ account, billing, spec, text }), {
              concurrency: "unbounded"
            }),
            Stream.runCollect(client.DecideMany({ account, billing, spec, texts: held(10, "streamed") })),
            client.Moderate({ account, billing, texts: held(10, "moderated") }),
            client.AnswerSet({
              account,
              billing,
              request: { state: "held set", model: "svc-auto", questions: [["q", { type: "noul" }]] }
            })
          ],
          { concurrency: "unbounded" }
        )
      )
      yield* Deferred.await(full)
      expect((yield* client.Decide({ account, spec, text: "urgent" })).decision).toBe(true)
      yield* gate.open
      const [alone, streamed, moderated] = yield* Fiber.join(unbilled)
      expect([alone.length, streamed.length, moderated.length]).toEqual([10, 10, 10])
      expect(most).toBe(share)
      expect(yield* service.balance(account)).toEqual({ balance: 0, reserved: 0 })
    }))

  it("needs an account, and has the sizes of what is billed", () =>
    Effect.gen(function* () {
      const { base, customer } = yield* TestApp
      const { accountId: account } = yield* customer({ decisions: 0 })
      const refusal = (call: (client: typeof InternalClient.Service) => Effect.Effect<unknown, unknown>) =>
        Effect.flatMap(InternalClient, call).pipe(
          Effect.provide(InternalClient.layer({ url: `${base}/rpc`, token: Redacted.make(token) })),
          Effect.exit,
          Effect.map((exit) => String(Exit.isFailure(exit) && Cause.squash(exit.cause)))
        )
      expect(yield* refusal((client) => client.Decide({ account: "acc_nobody", billing, spec, text: "x" }))).toContain(
        "There is no such account"
      )
      for (const [call, message] of [
        [
          (client) => client.Decide({ account, billing, spec, text: "x".repeat(Limits.text + 1) }),
          "at most 32000 characters"
        ],
        [
          (client) => client.Moderate({ account, billing, texts: ["x".repeat(Limits.renderedState + 1)] }),
          "at most 64000 characters"
        ],
        [
          (client) =>
            Stream.runDrain(client.DecideMany({ account, billing, spec, texts: Array(mostTexts + 1).fill("x") })),
          "at most 10000 items"
        ]
      ] satisfies ReadonlyArray<readonly [Parameters<typeof refusal>[0], string]>)
        expect(yield* refusal(call)).toContain(message)
    }))

  it("is marked by that word alone: any other is refused, not taken for it", () =>
    Effect.gen(function* () {
      const { customer, send, balance } = yield* TestApp
      const { accountId: account } = yield* customer({ decisions: 1 })
      const request = (billing: unknown) => {
        const payload = { account, billing, spec: { template: "spam" }, text: "x" }
        const raw = `${JSON.stringify({ _tag: "Request", id: "1", tag: "Decide", payload, headers: [] })}\n`
        return Effect.map(send("POST", "/rpc", { key: token, raw }), ({ body }) => JSON.stringify(body))
      }
      for (const wrong of ["Internal", "", null, false]) expect(yield* request(wrong)).toContain("Failure")
      expect(yield* balance(account)).toEqual({ balance: 15, reserved: 0 })
      expect(yield* request("account")).toContain("Success")
      expect(yield* balance(account)).toEqual({ balance: 0, reserved: 0 })
    }))
})
