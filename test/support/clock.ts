import { Clock, Effect, Layer } from "effect"

/** A clock that can be set ahead by milliseconds, or behind. Pauses take their real time; the database keeps its own. */
export const movableClock = () => {
  const real = Clock.make()
  let ahead = 0
  const millis = () => real.unsafeCurrentTimeMillis() + ahead
  const nanos = () => real.unsafeCurrentTimeNanos() + BigInt(ahead) * 1_000_000n
  return {
    clock: Layer.setClock({
      ...real,
      sleep: real.sleep,
      unsafeCurrentTimeMillis: millis,
      unsafeCurrentTimeNanos: nanos,
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanos: Effect.sync(nanos)
    }),
    setAhead: (offset: number) =>
      Effect.sync(() => {
        ahead = offset
      })
  }
}

/** A clock that stands still at a moment, such as `2026-11-22T12:00:00Z`. Pauses take their real time; the database keeps its own. */
export const fixedClock = (moment: string) => {
  const millis = Date.parse(moment)
  const nanos = BigInt(millis) * 1_000_000n
  const real = Clock.make()
  return Layer.setClock({
    ...real,
    sleep: real.sleep,
    unsafeCurrentTimeMillis: () => millis,
    unsafeCurrentTimeNanos: () => nanos,
    currentTimeMillis: Effect.succeed(millis),
    currentTimeNanos: Effect.succeed(nanos)
  })
}
