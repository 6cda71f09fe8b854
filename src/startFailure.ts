import { MigrationError } from "@effect/sql/Migrator"
import { SqlError } from "@effect/sql/SqlError"
import { Cause, ConfigError } from "effect"
import { InvalidBundle } from "./models/InvalidBundle.ts"

const settingsIn = (error: ConfigError.ConfigError): ReadonlyArray<string> =>
  error._op === "And" || error._op === "Or"
    ? [...settingsIn(error.left), ...settingsIn(error.right)]
    : [`${error.path.join("_")} ${error.message}`]

/** What went wrong first: those around it say only what it kept from being done. */
const reason = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause === undefined ? cause.message : reason(cause.cause)
}

/** Why the service did not start, in one line that says what to change. */
export const startFailure = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  if (ConfigError.isConfigError(error)) return `Wrong setting: ${settingsIn(error).join("; ")}`
  if (error instanceof InvalidBundle) return `A model cannot be used: ${error.message}`
  if (error instanceof MigrationError)
    return `The database cannot be brought up to date: ${[error.message, reason(error)].join(": ")}`
  if (error instanceof SqlError) return `The database cannot be used: ${reason(error.cause)}`
  return `The service cannot start: ${reason(error)}`
}
