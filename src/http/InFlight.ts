import { Cause, Clock, Context, Data, Deferred, Duration, Effect, Fiber, FiberId, Layer } from "effect"

/** The service is about to end: it begins nothing new, and in the end finishes nothing either. */
export class Stopping extends Data.TaggedError("Stopping") {}

/** Bytes that were handed to a socket are lost with the process until the client's system has them. */
const linger = 200

/** Requests that are being served, so that a stop can wait for them. */
export class InFlight extends Context.Tag("http/InFlight")<
  InFlight,
  {
    /** Counts a request from its head to its answer. */
    readonly track: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** The work on a request: dies with `Stopping` when the stop's patience is over. */
    readonly work: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** A wait whose end is in the client's hands: dies with `Stopping` as soon as a stop begins. */
    readonly wait: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Takes no new work, and ends when the running requests have been answered, those that take too long with `Stopping`. */
    readonly drain: (patience: Duration.Duration) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    InFlight,
    Effect.gen(function* () {
      const stopping = yield* Deferred.make<never>()
      const empty = yield* Deferred.make<void>()
      const working = new Set<Fiber.RuntimeFiber<unknown, unknown>>()
      const cut = new Set<Fiber.RuntimeFiber<unknown, unknown>>()
      let stopped = false
      let running = 0
      let answeredAt = 0

      const leave = Effect.gen(function* () {
        running--
        answeredAt = yield* Clock.currentTimeMillis
        if (stopped && running === 0) yield* Deferred.succeed(empty, undefined)
      })
      const giveUp = Effect.suspend(() => {
        for (const fiber of working) cut.add(fiber)
        return Fiber.interruptAllAs([...working], FiberId.none)
      })

      const drain = Effect.fnUntraced(function* (patience: Duration.Duration) {
        stopped = true
        yield* Deferred.die(stopping, new Stopping())
        if (running > 0)
          // A stop comes as a finalizer, where nothing can be interrupted unless it says so.
          yield* Effect.interruptible(Deferred.await(empty)).pipe(
            Effect.timeout(patience),
            Effect.catchTag("TimeoutException", () => Effect.zipRight(giveUp, Deferred.await(empty)))
          )
        const left = answeredAt + linger - (yield* Clock.currentTimeMillis)
        // The clock may have been set meanwhile.
        yield* Effect.sleep(Duration.millis(Math.min(linger, Math.max(0, left))))
      })

      return InFlight.of({
        track: (self) =>
          Effect.acquireUseRelease(
            Effect.sync(() => running++),
            () => self,
            () => leave
          ),
        // Middleware runs uninterruptible; the work itself ends when its client goes away. Its end is waited for: a race
        // would not, and leave behind what the work is just being given.
        work: (self) =>
          Effect.gen(function* () {
            if (stopped) return yield* Deferred.await(stopping)
            const fiber = yield* Effect.fork(Effect.interruptible(self))
            working.add(fiber)
            return yield* Effect.interruptible(Fiber.join(fiber)).pipe(
              Effect.onInterrupt(() => Fiber.interrupt(fiber)),
              Effect.catchAllCause((cause) =>
                cut.has(fiber) && Cause.isInterruptedOnly(cause) ? Deferred.await(stopping) : Effect.failCause(cause)
              ),
              Effect.ensuring(Effect.sync(() => working.delete(fiber)))
            )
          }),
        wait: (self) => Effect.raceFirst(self, Deferred.await(stopping)),
        drain
      })
    })
  )
}
