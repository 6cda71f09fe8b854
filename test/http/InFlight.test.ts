import { describe, expect } from "bun:test"
import { Duration, Effect, Exit, Fiber, Option, Stream, TestClock } from "effect"
import { InFlight, Overdue, Stopping } from "#src/http/InFlight"
import { effect, live } from "#test/support/effect"

/** A request as the server sees it: entered, and left when its scope closes. */
const request = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.flatMap(InFlight, ({ enter }) => Effect.scoped(Effect.zipRight(enter, self)))

describe("InFlight", () => {
  live("cleans up after interrupted work only when the work has ended", () =>
    Effect.gen(function* () {
      const inFlight = yield* InFlight
      const order: Array<string> = []
      const note = (what: string) => Effect.sync(() => order.push(what))
      const asked = note("asked").pipe(Effect.delay("50 millis"), Effect.uninterruptible)
      const served = yield* Effect.fork(
        Effect.uninterruptible(Effect.onInterrupt(request(inFlight.work(asked)), () => note("cleaned up")))
      )
      yield* Effect.sleep("10 millis")
      yield* Fiber.interrupt(served)
      expect(order).toEqual(["asked", "cleaned up"])
    }).pipe(Effect.provide(InFlight.layer))
  )

  live("ends work, waits and answers under way when a stop runs out of patience, and takes no new work", () =>
    Effect.gen(function* () {
      const inFlight = yield* InFlight
      const served = yield* Effect.fork(Effect.exit(request(inFlight.work(Effect.never))))
      const sent = yield* Effect.fork(Effect.exit(request(Stream.runDrain(inFlight.send(Stream.never)))))
      const waiting = yield* Effect.fork(Effect.exit(inFlight.wait(Effect.never)))
      yield* Effect.sleep("10 millis")
      yield* Effect.uninterruptible(inFlight.drain(Duration.millis(20)))
      const late = yield* Effect.exit(inFlight.work(Effect.void))
      for (const exit of [yield* Fiber.join(served), yield* Fiber.join(waiting), late])
        expect(String(Exit.isFailure(exit) && exit.cause._tag === "Die" && exit.cause.defect)).toContain("Stopping")
      expect(yield* Fiber.join(sent)).toEqual(Exit.fail(new Stopping()))
    }).pipe(Effect.provide(InFlight.layer))
  )

  effect("ends though work waits for what never comes, and lets nobody interrupt it", () =>
    Effect.gen(function* () {
      const inFlight = yield* InFlight
      yield* Effect.forkDaemon(request(inFlight.work(Effect.uninterruptible(Effect.never))))
      yield* Effect.yieldNow()
      const drained = yield* Effect.fork(Effect.uninterruptible(inFlight.drain(Duration.seconds(5))))
      yield* TestClock.adjust("14 seconds")
      expect(yield* Fiber.poll(drained)).toEqual(Option.none())
      yield* TestClock.adjust("2 seconds")
      expect(yield* Fiber.join(drained)).toBeUndefined()
    }).pipe(Effect.provide(InFlight.layer))
  )

  live("waits for an answer that is still being sent", () =>
    Effect.gen(function* () {
      const inFlight = yield* InFlight
      const sent = yield* Effect.fork(
        request(Stream.runCollect(inFlight.send(Stream.fromEffect(Effect.delay(Effect.succeed("late"), "50 millis")))))
      )
      yield* Effect.sleep("10 millis")
      yield* inFlight.drain(Duration.seconds(5))
      expect([...(yield* Fiber.join(sent))]).toEqual(["late"])
    }).pipe(Effect.provide(InFlight.layer))
  )

  effect("ends work that takes longer than its connection is kept", () =>
    Effect.gen(function* () {
      const inFlight = yield* InFlight
      const served = yield* Effect.fork(Effect.exit(Effect.uninterruptible(request(inFlight.work(Effect.never)))))
      yield* TestClock.adjust("4 minutes")
      expect(yield* Fiber.join(served)).toEqual(Exit.die(new Overdue()))
    }).pipe(Effect.provide(InFlight.layer))
  )
})
