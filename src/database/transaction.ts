import type { SqlClient } from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import { Effect, Option } from "effect"
import { statementFailed } from "./unavailable.ts"

const isSqlError = (error: unknown): error is SqlError => error instanceof SqlError

/**
 * Runs all of an effect's statements, or none; once begun it is carried through, though its caller leaves. Where a connection breaks, so does
 * the rollback or the commit, which the driver takes for defects: that is a service that is unavailable too.
 */
export const transaction =
  (sql: SqlClient) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    sql.withTransaction(self).pipe(
      Effect.uninterruptible,
      Effect.catchSomeDefect((defect) => (isSqlError(defect) ? Option.some(Effect.fail(defect)) : Option.none())),
      Effect.catchIf(isSqlError, statementFailed)
    )
