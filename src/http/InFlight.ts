import {
  Cause,
  Clock,
  Context,
  Data,
  Deferred,
  Duration,
  Effect,
  Fiber,
  FiberId,
  Layer,
  Option,
  type Scope,
  Stream
} from "effect"

/** The service is about to end: it begins nothing new, and in the end finishes nothing either. */
export class Stopping extends Data.TaggedError("Stopping") {}

/** The work on a request took longer than a connection is kept on which nothing is sent. */
export class Overdue extends Data.TaggedError("Overdue") {}

const longest = Duration.minutes(4)

/** Bytes that were handed to a socket are lost with the process until the client's system has them. */
const linger = 200

/** What is cut gives back what it holds, which waits for the database; a client that reads no further keeps its stream open for ever. */
const lastWords = Duration.seconds(10)

/** Requests that are being served, so that a stop can wait for them. */
export class InFlight extends Context.Tag("http/InFlight")<
  InFlight,
  {
    /** Counts a request from its head until its scope closes, which is when the last byte of its answer has been handed over. */
    readonly enter: Effect.Effect<void, never, Scope.Scope>
    /** The work on a request: dies with `Overdue` after four minutes, with `Stopping` when the stop's patience is over. */
    readonly work: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** A wait whose end is in the client's hands: dies with `Stopping` as soon as a stop begins. */
    readonly wait: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** The body of an answer that is sent bit by bit: fails with `Stopping` when the stop's patience is over. */
    readonly send: <A, E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<A, E | Stopping, R>
    /** Takes no new work, and ends when the running requests have been answered, those that take too long with `Stopping`. */
    readonly drain: (patience: Duration.Duration) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    InFlight,
    Effect.gen(function* () {
      const stopping = yield* Deferred.make<never>()
      const empty = yield* Deferred.make<void>()
      const over = yield* Deferred.make<never, Stopping>()
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
        const interrupted = Effect.forkDaemon(Fiber.interruptAllAs([...working], FiberId.none))
        return Effect.zipRight(Deferred.fail(over, new Stopping()), interrupted)
      })

      const drain = Effect.fnUntraced(function* (patience: Duration.Duration) {
        stopped = true
        yield* Deferred.die(stopping, new Stopping())
        if (running > 0)
          // A stop comes as a finalizer, where nothing can be interrupted unless it says so.
          yield* Effect.interruptible(Deferred.await(empty)).pipe(
            Effect.timeout(patience),
            Effect.catchTag("TimeoutException", () =>
              Effect.zipRight(giveUp, Effect.timeoutOption(Effect.interruptible(Deferred.await(empty)), lastWords))
            )
          )
        const left = answeredAt + linger - (yield* Clock.currentTimeMillis)
        // The clock may have been set meanwhile.
        yield* Effect.sleep(Duration.millis(Math.min(linger, Math.max(0, left))))
      })

      return InFlight.of({
        enter: Effect.acquireRelease(
          Effect.sync(() => {
            running++
          }),
          () => leave
        ),
        // Middleware runs uninterruptible; the work itself ends when its client goes away. Its end is waited for: a race
        // would not, and leave behind what the work is just being given.
        work: (self) =>
          Effect.gen(function* () {
            if (stopped) return yield* Deferred.await(stopping)
            const timely = Effect.timeoutTo(self, {
              duration: longest,
              onSuccess: Effect.succeed,
              onTimeout: () => Effect.die(new Overdue())
            })
            const fiber = yield* Effect.fork(Effect.interruptible(Effect.flatten(timely))).pipe(
              // Whoever joins it says what went wrong, without what the caller wrote, such as a path that nothing is at.
              Effect.withUnhandledErrorLogLevel(Option.none())
            )
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
        send: (self) => Stream.interruptWhenDeferred(self, over),
        drain
      })
    })
  )
}
