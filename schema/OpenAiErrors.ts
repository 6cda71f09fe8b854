import { HttpApiError, HttpApiSchema } from "@effect/platform"
import { Effect, ParseResult, Schema } from "effect"
import { InsufficientCredits, InvalidRequest, Overloaded, RateLimited, Unauthenticated, Unavailable } from "./Errors.ts"
import { type Detail, detailsOf, Undecodable } from "./Validation.ts"

const body = <T extends string, C extends string | null>(type: T, code: Schema.Schema<C>) =>
  Schema.Struct({
    error: Schema.Struct({
      message: Schema.String,
      type: Schema.Literal(type),
      param: Schema.NullOr(Schema.String),
      code
    })
  })

/** OpenAI's error body `{ error: { message, type, param, code } }`, given beside an endpoint. */
export const openAiError = (
  type: "invalid_request_error" | "server_error",
  code: string | null,
  message: string,
  param: string | null = null
) => ({ error: { message, type, param, code } })

const failure = <A extends { readonly message: string }, I, T extends string, C extends string | null>(
  identifier: string,
  failed: Schema.Schema<A, I>,
  status: number,
  type: T,
  code: C,
  read: (message: string) => A
) =>
  Schema.transform(body(type, Schema.Literal(code)), Schema.typeSchema(failed), {
    strict: true,
    decode: ({ error }) => read(error.message),
    encode: ({ message }) => ({ error: { message, type, param: null, code } })
  }).annotations({
    identifier,
    ...HttpApiSchema.annotations({ status, description: code ?? type })
  })

const unknownKey = "invalid_api_key" as const

/** Its code tells a missing key from an unknown or revoked one. */
export const OpenAiUnauthenticated = Schema.transform(
  body("invalid_request_error", Schema.NullOr(Schema.Literal(unknownKey))),
  Schema.typeSchema(Unauthenticated),
  {
    strict: true,
    decode: ({ error }) =>
      new Unauthenticated({ reason: error.code === null ? "missing" : "invalid", message: error.message }),
    encode: ({ message, reason }) => ({
      error: {
        message,
        type: "invalid_request_error" as const,
        param: null,
        code: reason === "missing" ? null : unknownKey
      }
    })
  }
).annotations({
  identifier: "OpenAIUnauthenticated",
  ...HttpApiSchema.annotations({ status: 401, description: "no key, or one that is unknown or revoked" })
})

/** More requests in a minute than the key may send. HTTP 429. */
export const OpenAiRateLimited = failure(
  "OpenAIRateLimited",
  RateLimited,
  429,
  "requests",
  "rate_limit_exceeded",
  RateLimited.read
)
/** The balance does not cover the request; clients should not retry. HTTP 429. */
export const OpenAiQuota = failure(
  "OpenAIInsufficientQuota",
  InsufficientCredits,
  429,
  "insufficient_quota",
  "insufficient_quota",
  (message) => new InsufficientCredits({ message })
)
/** A part of the service cannot answer right now. HTTP 503. */
export const OpenAiUnavailable = failure(
  "OpenAIUnavailable",
  Unavailable,
  503,
  "server_error",
  null,
  (message) => new Unavailable({ message })
)
/** The service is busy. HTTP 529. */
export const OpenAiOverloaded = failure(
  "OpenAIOverloaded",
  Overloaded,
  529,
  "server_error",
  null,
  (message) => new Overloaded({ message })
)

const Refused = body("invalid_request_error", Schema.Null)

const placeOf = (path: Detail["loc"]) =>
  path.reduce<string>(
    (place, part) => (typeof part === "number" ? `${place}[${part}]` : place === "" ? part : `${place}.${part}`),
    ""
  )

/** The first thing that is wrong; `param` names the field of the body. */
const refused = ([first]: ReadonlyArray<Detail>): typeof Refused.Type => {
  const error = (message: string, param: string | null) => ({
    error: { message, type: "invalid_request_error" as const, param, code: null }
  })
  if (first === undefined || first.type === "json_invalid")
    return error('We could not parse the body of your request. Send a JSON object like {"input": "some text"}.', null)
  const [, ...path] = first.loc
  const [field] = path
  const msg = first.msg.replace(/^Value error, /, "")
  if (field === undefined) return error(`Invalid body: ${msg}.`, null)
  return first.type === "missing"
    ? error(`Missing required parameter: '${placeOf(path)}'.`, String(field))
    : error(`Invalid value for '${placeOf(path)}': ${msg}.`, String(field))
}

const AnyRefused = Schema.Unknown.annotations({ jsonSchema: { $ref: "#/components/schemas/OpenAIInvalidRequest" } })

/** A request that could not be read. HTTP 400. */
export const OpenAiUndecodable = Schema.transformOrFail(AnyRefused, Undecodable, {
  strict: true,
  decode: (body) =>
    ParseResult.map(
      ParseResult.decodeUnknown(Refused)(body),
      ({ error: { message, param } }) =>
        new HttpApiError.HttpApiDecodeError({
          issues: [{ _tag: "Refinement", path: param === null ? [] : [param], message }],
          message
        })
    ),
  encode: (error) => Effect.map(detailsOf(error), refused)
}).annotations(HttpApiSchema.annotations({ status: 400 }))

/** A rule that the service found broken. HTTP 400. */
export const OpenAiInvalid = Schema.transform(Refused, Schema.typeSchema(InvalidRequest), {
  strict: true,
  decode: ({ error }) => InvalidRequest.at(error.param === null ? ["body"] : ["body", error.param], error.message),
  encode: ({ detail }) => refused(detail)
}).annotations({
  identifier: "OpenAIInvalidRequest",
  ...HttpApiSchema.annotations({ status: 400, description: "invalid_request_error" })
})
