import { SqlError } from "@effect/sql/SqlError"
import { Cause, ConfigError } from "effect"
import { InvalidBundle } from "./models/InvalidBundle.ts"

const settingsIn = (error: ConfigError.ConfigError): ReadonlyArray<string> =>
  error._op === "And" || error._op === "Or"
    ? [...settingsIn(error.left), ...settingsIn(error.right)]
    : [`${error.path.join("_")} ${error.message}`]

const reason = (cause: unknown): string => {
  const inner = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause
  return inner instanceof Error ? inner.message : String(inner)
}

/** Why the service did not start, in one line that says what to change. */
export const startFailure = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  if (ConfigError.isConfigError(error)) return `Wrong setting: ${settingsIn(error).join("; ")}`
  if (error instanceof InvalidBundle) return `A model cannot be used: ${error.message}`
  if (error instanceof SqlError) return `The database cannot be used: ${reason(error.cause)}`
  return `The service cannot start: ${reason(error)}`
}
