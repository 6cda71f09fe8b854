import { Effect, Option, Ref } from "effect"
import { TooManyAttempts } from "#schema/console/Session"
import { CurrentExchange } from "../../http/Exchange.ts"

/** Tells the browser when to come back, in `retry-after`. */
export const toldWhen = <A, E, R>(counted: Effect.Effect<A, E | TooManyAttempts, R>) =>
  Effect.tapError(counted, (error) =>
    error instanceof TooManyAttempts
      ? Effect.flatMap(CurrentExchange, (exchange) => Ref.set(exchange.retryAfter, Option.some(error.retryAfter)))
      : Effect.void
  )
