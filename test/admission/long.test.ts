import { expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { Admission } from "#src/admission/Admission"
import { AdmissionRepo } from "#src/admission/AdmissionRepo"
import { Settings } from "#src/Settings"
import { settings } from "#test/support/app"
import { live } from "#test/support/effect"
import { stub } from "#test/support/stub"

live("Long answers are kept a few at a time, and charges without one do not wait for them", () =>
  Effect.gen(function* () {
    const calls: Array<ReadonlyArray<number>> = []
    const repo = stub(AdmissionRepo)({
      sweep: () => Effect.succeed(""),
      undo: () => Effect.succeed([]),
      settle: (_, all) =>
        Effect.sync(() => {
          calls.push(all.map(({ body }) => body?.length ?? 0))
          return all.map(() => true)
        }).pipe(Effect.delay("1 millis"))
    })
    const { settle } = yield* Effect.map(
      Layer.build(Admission.layerNoDeps.pipe(Layer.provide([repo, Layer.succeed(Settings, settings)]))),
      (context) => Context.get(context, Admission)
    )
    const body = "x".repeat(1_000_000)
    yield* Effect.forEach(
      Array.from({ length: 200 }, (_, i) => i),
      (i) =>
        settle(
          { requestId: `req_${i}`, accountId: `acc_${i % 2}`, decisions: 1, retried: i < 100 },
          1,
          i < 100 ? { status: 200, headers: {}, body } : undefined
        ),
      { concurrency: "unbounded" }
    )
    const kept = calls.filter((sizes) => sizes.some((size) => size > 0))
    expect(kept.flat()).toEqual(Array(100).fill(body.length))
    expect(Math.max(...kept.map((sizes) => sizes.length))).toBeWithin(2, 10)
    expect(calls.length - kept.length).toBeWithin(1, 10)
  })
)
