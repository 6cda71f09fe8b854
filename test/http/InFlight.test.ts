import { describe, expect } from "bun:test"
import { Duration, Effect, Exit, Fiber } from "effect"
import { InFlight } from "#src/http/InFlight"
import { live } from "#test/support/effect"

describe("InFlight", () => {
  live("cleans up after interrupted work only when the work has ended", () =>
    Effect.gen(function* () {
      const inFlight = yield* InFlight
      const order: Array<string> = []
      const note = (what: string) => Effect.sync(() => order.push(what))
      const asked = note("asked").pipe(Effect.delay("50 millis"), Effect.uninterruptible)
      const served = yield* Effect.fork(
        Effect.uninterruptible(Effect.onInterrupt(inFlight.track(inFlight.work(asked)), () => note("cleaned up")))
      )
      yield* Effect.sleep("10 millis")
      yield* Fiber.interrupt(served)
      expect(order).toEqual(["asked", "cleaned up"])
    }).pipe(Effect.provide(InFlight.layer))
  )

  live("ends work and waits when a stop runs out of patience, and takes no new work", () =>
    Effect.gen(function* () {
      const inFlight = yield* InFlight
      const served = yield* Effect.fork(Effect.exit(inFlight.track(inFlight.work(Effect.never))))
      const waiting = yield* Effect.fork(Effect.exit(inFlight.wait(Effect.never)))
      yield* Effect.sleep("10 millis")
      yield* Effect.uninterruptible(inFlight.drain(Duration.millis(20)))
      const late = yield* Effect.exit(inFlight.work(Effect.void))
      for (const exit of [yield* Fiber.join(served), yield* Fiber.join(waiting), late])
        expect(String(Exit.isFailure(exit) && exit.cause._tag === "Die" && exit.cause.defect)).toContain("Stopping")
    }).pipe(Effect.provide(InFlight.layer))
  )
})
