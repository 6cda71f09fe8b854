import { ValidationError } from "@effect/cli"
import { HttpClientError } from "@effect/platform"
import { RpcClientError } from "@effect/rpc"
import { Cause, ConfigError, ParseResult } from "effect"
import { FlowInvalid } from "#schema/FlowDraft"
import { WrongToken } from "#schema/rpc/InternalToken"

const hasMessage = (error: unknown): error is { readonly message: string } =>
  typeof error === "object" && error !== null && "message" in error && typeof error.message === "string"

const hasDetail = (
  error: unknown
): error is { readonly detail: ReadonlyArray<{ readonly loc: ReadonlyArray<unknown>; readonly msg: string }> } =>
  typeof error === "object" && error !== null && "detail" in error && Array.isArray(error.detail)

const listed = (faults: ReadonlyArray<{ readonly loc: ReadonlyArray<unknown>; readonly msg: string }>) =>
  faults.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("\n")

const worded = /^[a-z_]+: /

/** What is wrong with what was typed: in the words of a request where it has some, else in those of the schema. */
const misread = (error: ParseResult.ParseError) => {
  const all = ParseResult.ArrayFormatter.formatErrorSync(error)
  const spoken = all.filter(({ _tag, message }) => _tag === "Missing" || worded.test(message))
  const lines = (spoken.length === 0 ? all : spoken).map(({ path, message }) =>
    [...(path.length === 0 ? [] : [path.join(".")]), message.replace(worded, "")].join(": ")
  )
  return [...new Set(lines)].join("\n")
}

const whichToken = `to a token of the service's INTERNAL_TOKEN, the part after "name:".`

const unknownToken = `The service does not know this SVC_TOKEN. Set it ${whichToken}`

/** What the service said instead of reading the call. */
const refusals: Readonly<Record<number, string>> = {
  // A call too long to be read for a stranger is refused before it is one.
  401: unknownToken,
  408: "The service waited too long for the call to arrive (408). Send less at once.",
  413: "The call is too large for the service (413). Send less at once.",
  503: "The service is briefly unavailable or about to end (503). Try again; where it lasts, its /health/ready says what is down.",
  529: "The service has too much to do (529). Try again later."
}

const refusal = (cause: unknown): string | undefined =>
  HttpClientError.isHttpClientError(cause) && cause._tag === "ResponseError"
    ? refusals[cause.response.status]
    : undefined

const words = (error: unknown): string => {
  if (ValidationError.isValidationError(error)) return "Run `svc --help` for the commands and what they take."
  if (ConfigError.isConfigError(error)) return `Set SVC_TOKEN ${whichToken}`
  if (error instanceof WrongToken) return unknownToken
  if (error instanceof RpcClientError.RpcClientError)
    return (
      refusal(error.cause) ??
      "The service does not answer. Check that it runs with an INTERNAL_TOKEN, and that SVC_URL is its RPC address."
    )
  if (ParseResult.isParseError(error)) return misread(error)
  if (hasDetail(error)) return listed(error.detail)
  if (error instanceof FlowInvalid) return [error.message, ...error.faults.map(({ message }) => message)].join("\n")
  return hasMessage(error) && error.message !== "" ? error.message : "The command failed."
}

/** Why a command ended early, in words for the person who typed it, and its exit code: 2 where it was not understood, 130 where it was stopped, else 1. */
export const failure = (cause: Cause.Cause<unknown>): { readonly message: string; readonly code: number } => {
  if (Cause.isInterruptedOnly(cause)) return { message: "Stopped.", code: 130 }
  const error = Cause.squash(cause)
  return { message: words(error), code: ValidationError.isValidationError(error) ? 2 : 1 }
}
