import { ValidationError } from "@effect/cli"
import { ConfigError, ParseResult } from "effect"
import { details } from "#schema/Validation"

const hasMessage = (error: unknown): error is { readonly message: string } =>
  typeof error === "object" && error !== null && "message" in error && typeof error.message === "string"

const hasDetail = (
  error: unknown
): error is { readonly detail: ReadonlyArray<{ readonly loc: ReadonlyArray<unknown>; readonly msg: string }> } =>
  typeof error === "object" && error !== null && "detail" in error && Array.isArray(error.detail)

const listed = (faults: ReadonlyArray<{ readonly loc: ReadonlyArray<unknown>; readonly msg: string }>) =>
  faults.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("\n")

/** Why a command failed, in words for the person who typed it. */
export const failure = (error: unknown): string => {
  if (ValidationError.isValidationError(error)) return "Run `svc --help` for the commands and what they take."
  if (ConfigError.isConfigError(error)) return "Set SVC_TOKEN to one of the service's internal tokens."
  if (ParseResult.isParseError(error))
    return listed(details(ParseResult.ArrayFormatter.formatErrorSync(error), "question"))
  if (hasDetail(error)) return listed(error.detail)
  return hasMessage(error) && error.message !== "" ? error.message : "The command failed."
}
