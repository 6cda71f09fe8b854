import { Effect, Option, Ref } from "effect"
import { TooManyAttempts } from "#schema/console/Session"
import { CurrentExchange } from "../../http/Exchange.ts"

/** A wait is told in seconds up to this; the message tells a longer one. */
const MOST_SECONDS = 60

/** Tells the browser when to come back, in `retry-after`. */
export const toldWhen = <A, E, R>(counted: Effect.Effect<A, E | TooManyAttempts, R>) =>
  Effect.tapError(counted, (error) =>
    error instanceof TooManyAttempts
      ? Effect.flatMap(CurrentExchange, (exchange) =>
          Ref.set(exchange.retryAfter, Option.some(Math.min(error.retryAfter, MOST_SECONDS)))
        )
      : Effect.void
  )
