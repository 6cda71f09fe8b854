import type { SqlError } from "@effect/sql/SqlError"
import { Effect, type ParseResult } from "effect"
import { Unavailable } from "#schema/Errors"

/** A statement or transaction failed: its cause goes to the log, not to the caller. */
export const statementFailed = ({ cause }: SqlError) =>
  Effect.zipRight(Effect.logError("database statement failed", cause), Unavailable.of())

/**
 * A statement that failed makes the service unavailable for this request.
 * A row that does not fit its schema is a bug.
 */
export const orUnavailable = <A, R>(self: Effect.Effect<A, SqlError | ParseResult.ParseError, R>) =>
  self.pipe(
    Effect.catchTags({
      ParseError: Effect.die,
      SqlError: statementFailed
    })
  )
