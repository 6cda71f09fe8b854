import type { SqlError } from "@effect/sql/SqlError"
import { Effect, type ParseResult } from "effect"
import { Unavailable } from "#schema/Errors"

/** A statement or transaction failed: why goes to the log, not to the caller; the values it was about go nowhere. */
export const statementFailed = ({ cause, message }: SqlError) =>
  Effect.zipRight(
    Effect.logError(`${message}: ${cause instanceof Error ? cause.message : "unknown"}`),
    Unavailable.of()
  )

/**
 * A statement that failed makes the service unavailable for this request.
 * A row that does not fit its schema is a bug.
 */
export const failedUnavailable = <A, R>(self: Effect.Effect<A, SqlError | ParseResult.ParseError, R>) =>
  self.pipe(
    Effect.catchTags({
      ParseError: Effect.die,
      SqlError: statementFailed
    })
  )

/** The same for a statement that is carried through once it has begun, though its caller leaves: its connection is somebody else's next. */
export const orUnavailable = <A, R>(self: Effect.Effect<A, SqlError | ParseResult.ParseError, R>) =>
  failedUnavailable(Effect.uninterruptible(self))
