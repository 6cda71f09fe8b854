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

/** A call too long to be read for a stranger is refused before it is one. */
const wasRefused = (cause: unknown): boolean =>
  HttpClientError.isHttpClientError(cause) && cause._tag === "ResponseError" && cause.response.status === 401

const words = (error: unknown): string => {
  if (ValidationError.isValidationError(error)) return "Run `svc --help` for the commands and what they take."
  if (ConfigError.isConfigError(error)) return `Set SVC_TOKEN ${whichToken}`
  if (error instanceof WrongToken) return unknownToken
  if (error instanceof RpcClientError.RpcClientError)
    return wasRefused(error.cause)
      ? unknownToken
      : "The service does not answer. Check that it runs with an INTERNAL_TOKEN, and that SVC_URL is its RPC address."
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
