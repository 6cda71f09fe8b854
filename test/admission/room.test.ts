import { expect } from "bun:test"
import { Context, Duration, Effect, Layer, TestClock } from "effect"
import { Admission } from "#src/admission/Admission"
import { AdmissionRepo, type Charge } from "#src/admission/AdmissionRepo"
import { makeRoom, roomForAnswers } from "#src/admission/Room"
import { Settings } from "#src/Settings"
import { settings } from "#test/support/app"
import { effect, live } from "#test/support/effect"
import { stub } from "#test/support/stub"

effect("An account has room for so many bytes, and for as many again after a span of time", () =>
  Effect.gen(function* () {
    const hasRoom = makeRoom(100, Duration.minutes(10))
    expect(yield* hasRoom("one", 60)).toBe(true)
    expect(yield* hasRoom("one", 41)).toBe(false)
    expect(yield* hasRoom("one", 40)).toBe(true)
    yield* TestClock.adjust("9 minutes")
    expect(yield* hasRoom("one", 1)).toBe(false)
    expect(yield* hasRoom("another", 100)).toBe(true)
    yield* TestClock.adjust("1 minute")
    expect(yield* hasRoom("one", 100)).toBe(true)
    expect(yield* hasRoom("another", 1)).toBe(false)
    // A clock that is set back fills no room for long.
    yield* TestClock.setTime(0)
    expect(yield* hasRoom("one", 100)).toBe(true)
  })
)

live("Answers are kept for retries while their account has room for them; what they cost is charged all the same", () =>
  Effect.gen(function* () {
    const charges: Array<Charge> = []
    const repo = stub(AdmissionRepo)({
      sweep: () => Effect.succeed(""),
      undo: () => Effect.succeed([]),
      settle: (_, all) =>
        Effect.sync(() => {
          charges.push(...all)
          return all.map(() => true)
        })
    })
    const { settle } = yield* Effect.map(
      Layer.build(Admission.layerNoDeps.pipe(Layer.provide([repo, Layer.succeed(Settings, settings)]))),
      (context) => Context.get(context, Admission)
    )
    // Two of them fill the room, counted in bytes.
    const answer = { status: 200, headers: {}, body: "é".repeat(roomForAnswers / 4) }
    for (const [accountId, kept] of [
      ["one", true],
      ["one", true],
      ["one", false],
      ["another", true]
    ] as const) {
      yield* settle({ requestId: "req_1", accountId, decisions: 1, retried: true }, 1, answer)
      const { decisions, status, body } = charges.at(-1) ?? {}
      expect([decisions, status, body === answer.body]).toEqual([1, kept ? 200 : null, kept])
    }
  })
)
