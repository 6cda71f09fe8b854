import { HttpApiSchema } from "@effect/platform"
import { Schema } from "effect"
import { FlowNotFound, InsufficientCredits, Overloaded, RateLimited, Unauthenticated, Unavailable } from "./Errors.ts"

/** The service's own error body. */
export const StandardError = Schema.Struct({
  detail: Schema.Struct({ error_type: Schema.String, message: Schema.String })
}).annotations({ identifier: "Error" })

interface Failure {
  readonly message: string
}

/** The body of a failure of the service: its status and error_type, and how to read it back. */
export const standard = <A extends Failure, I, T extends string>(
  failure: Schema.Schema<A, I>,
  status: number,
  errorType: T,
  read: (message: string) => A
) => {
  const body = Schema.Struct({
    detail: Schema.Struct({ error_type: Schema.Literal(errorType), message: Schema.String })
  })
  return Schema.transform(body, Schema.typeSchema(failure), {
    strict: true,
    decode: ({ detail }) => read(detail.message),
    encode: ({ message }) => ({ detail: { error_type: errorType, message } })
  }).annotations(HttpApiSchema.annotations({ status, description: errorType }))
}

/** No key, or one that is unknown or revoked; read back, the message tells which. */
export const UnauthenticatedBody = standard(
  Unauthenticated,
  401,
  "authentication_error",
  (message) => new Unauthenticated({ reason: message.startsWith("Missing") ? "missing" : "invalid", message })
)
/** The balance does not cover the request. */
export const InsufficientCreditsBody = standard(
  InsufficientCredits,
  402,
  "insufficient_credits",
  (message) => new InsufficientCredits({ message })
)
/** No such flow, or no such version of it. */
export const FlowNotFoundBody = standard(FlowNotFound, 404, "not_found", (message) => new FlowNotFound({ message }))
/** More requests in a minute than the key may send; the header `retry-after` says when to try again. */
export const RateLimitedBody = standard(RateLimited, 429, "rate_limit_error", RateLimited.read)
/** A part of the service cannot answer right now. */
export const UnavailableBody = standard(Unavailable, 503, "api_error", (message) => new Unavailable({ message }))
/** The service is busy. */
export const OverloadedBody = standard(Overloaded, 529, "overloaded_error", (message) => new Overloaded({ message }))

/** `{ detail: { error_type, message } }` for answers given before or beside an endpoint. */
export const standardError = (errorType: string, message: string): typeof StandardError.Type => ({
  detail: { error_type: errorType, message }
})
