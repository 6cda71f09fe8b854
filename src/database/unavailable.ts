import type { SqlError } from "@effect/sql/SqlError"
import { Effect, type ParseResult } from "effect"
import { Unavailable } from "#schema/Errors"

/**
 * A statement that failed makes the service unavailable for this request; its cause goes to the log, not to the caller.
 * A row that does not fit its schema is a bug.
 */
export const orUnavailable = <A, R>(self: Effect.Effect<A, SqlError | ParseResult.ParseError, R>) =>
  self.pipe(
    Effect.catchTags({
      ParseError: (error) => Effect.die(error),
      SqlError: ({ cause }) => Effect.zipRight(Effect.logError("database statement failed", cause), Unavailable.of())
    })
  )
