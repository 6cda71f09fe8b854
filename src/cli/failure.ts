import { ValidationError } from "@effect/cli"
import { RpcClientError } from "@effect/rpc"
import { Cause, ConfigError, ParseResult } from "effect"
import { details } from "#schema/Validation"

const hasMessage = (error: unknown): error is { readonly message: string } =>
  typeof error === "object" && error !== null && "message" in error && typeof error.message === "string"

const hasDetail = (
  error: unknown
): error is { readonly detail: ReadonlyArray<{ readonly loc: ReadonlyArray<unknown>; readonly msg: string }> } =>
  typeof error === "object" && error !== null && "detail" in error && Array.isArray(error.detail)

const listed = (faults: ReadonlyArray<{ readonly loc: ReadonlyArray<unknown>; readonly msg: string }>) =>
  faults.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("\n")

const words = (error: unknown): string => {
  if (ValidationError.isValidationError(error)) return "Run `svc --help` for the commands and what they take."
  if (ConfigError.isConfigError(error)) return "Set SVC_TOKEN to one of the service's internal tokens."
  if (error instanceof RpcClientError.RpcClientError)
    return "The service does not answer. Check that it runs with an INTERNAL_TOKEN, and that SVC_URL is its RPC address."
  if (ParseResult.isParseError(error))
    return listed(details(ParseResult.ArrayFormatter.formatErrorSync(error), "question"))
  if (hasDetail(error)) return listed(error.detail)
  return hasMessage(error) && error.message !== "" ? error.message : "The command failed."
}

/** Why a command ended early, in words for the person who typed it, and its exit code: 2 where it was not understood, 130 where it was stopped, else 1. */
export const failure = (cause: Cause.Cause<unknown>): { readonly message: string; readonly code: number } => {
  if (Cause.isInterruptedOnly(cause)) return { message: "Stopped.", code: 130 }
  const error = Cause.squash(cause)
  return { message: words(error), code: ValidationError.isValidationError(error) ? 2 : 1 }
}
