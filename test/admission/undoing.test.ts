import { expect } from "bun:test"
import { Context, Effect, Fiber, Layer, TestClock } from "effect"
import { Unavailable } from "#schema/Errors"
import { Admission } from "#src/admission/Admission"
import { AdmissionRepo } from "#src/admission/AdmissionRepo"
import { Settings } from "#src/Settings"
import { settings } from "#test/support/app"
import { effect, live } from "#test/support/effect"
import { stub } from "#test/support/stub"

live("A request that got no verdict is undone only if it had ordered something: the next it orders is its own", () =>
  Effect.gen(function* () {
    const undone: Array<string> = []
    const repo = stub(AdmissionRepo)({
      sweep: () => Effect.succeed(""),
      admit: () => Unavailable.of(),
      settle: () => Effect.succeed([]),
      undo: (requests) =>
        Effect.sync(() => {
          undone.push(...requests.map(({ request_id }) => request_id))
          return requests.map(() => true as const)
        })
    })
    const { admit } = yield* Effect.map(
      Layer.build(Admission.layerNoDeps.pipe(Layer.provide([repo, Layer.succeed(Settings, settings)]))),
      (context) => Context.get(context, Admission)
    )
    const party = { accountId: "acc_1" }
    const orders = { req_nothing: { decisions: 0 }, req_flow: { decisions: 0, flow: "f" }, req_one: { decisions: 1 } }
    for (const [requestId, order] of Object.entries(orders))
      expect((yield* Effect.flip(admit({ requestId, party, order, counted: true })))._tag).toBe("Unavailable")
    yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => undone.length > 1 })
    expect(undone.sort()).toEqual(["req_flow", "req_one"])
  })
)

effect("A charge whose outcome is unknown is none that a sweep may give back, until it has been undone", () =>
  Effect.gen(function* () {
    let known: ReadonlyArray<string> = []
    let isBack = false
    const repo = stub(AdmissionRepo)({
      sweep: (sweep) =>
        Effect.sync(() => {
          known = sweep.known
          return ""
        }),
      settle: () => Unavailable.of(),
      undo: (requests) => (isBack ? Effect.succeed(requests.map(() => true as const)) : Unavailable.of())
    })
    const { settle } = yield* Effect.map(
      Layer.build(Admission.layerNoDeps.pipe(Layer.provide([repo, Layer.succeed(Settings, settings)]))),
      (context) => Context.get(context, Admission)
    )
    const reservation = { requestId: "req_one", accountId: "acc_1", decisions: 1, retried: false }
    const settled = yield* Effect.fork(Effect.flip(settle(reservation, 1)))
    yield* TestClock.adjust("10 seconds")
    expect((yield* Fiber.join(settled))._tag).toBe("Unavailable")
    yield* TestClock.adjust("1 minute")
    expect(known).toEqual(["req_one"])
    isBack = true
    yield* TestClock.adjust("10 seconds")
    expect(known).toEqual([])
  })
)

effect("A database that takes nothing is one that cannot be written to, until it takes something again", () =>
  Effect.gen(function* () {
    let isDown = false
    const repo = stub(AdmissionRepo)({
      sweep: () => (isDown ? Unavailable.of() : Effect.succeed("")),
      settle: () => Effect.succeed([]),
      undo: () => Effect.succeed([])
    })
    const { writes } = yield* Effect.map(
      Layer.build(Admission.layerNoDeps.pipe(Layer.provide([repo, Layer.succeed(Settings, settings)]))),
      (context) => Context.get(context, Admission)
    )
    expect(yield* writes).toBe(true)
    yield* TestClock.adjust("1 minute")
    expect(yield* writes).toBe(true)
    isDown = true
    yield* TestClock.adjust("9 seconds")
    expect(yield* writes).toBe(true)
    yield* TestClock.adjust("6 seconds")
    expect(yield* writes).toBe(false)
    isDown = false
    yield* TestClock.adjust("5 seconds")
    expect(yield* writes).toBe(true)
  })
)
