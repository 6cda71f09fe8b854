import { Context, Deferred, Effect, Layer, Ref } from "effect"

/** Requests that are being served, so that a stop can wait for them. */
export class InFlight extends Context.Tag("http/InFlight")<
  InFlight,
  {
    readonly track: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    readonly draining: Effect.Effect<boolean>
    /** Takes no new requests and ends when the running ones have. */
    readonly drain: Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    InFlight,
    Effect.gen(function* () {
      const running = yield* Ref.make(0)
      const draining = yield* Ref.make(false)
      const empty = yield* Deferred.make<void>()
      const signal = Effect.gen(function* () {
        if ((yield* Ref.get(draining)) && (yield* Ref.get(running)) === 0) yield* Deferred.succeed(empty, undefined)
      })
      return InFlight.of({
        track: (self) =>
          Effect.acquireUseRelease(
            Ref.update(running, (n) => n + 1),
            () => self,
            () =>
              Effect.zipRight(
                Ref.update(running, (n) => n - 1),
                signal
              )
          ),
        draining: Ref.get(draining),
        drain: Ref.set(draining, true).pipe(Effect.zipRight(signal), Effect.zipRight(Deferred.await(empty)))
      })
    })
  )
}
