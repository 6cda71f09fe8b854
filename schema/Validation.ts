import { HttpApiError, HttpApiSchema, HttpRouter, HttpServerError, HttpServerRequest } from "@effect/platform"
import { Effect, Option, ParseResult, Schema } from "effect"
import { InvalidRequest } from "./Errors.ts"
import { about } from "./Field.ts"

const Location = Schema.Array(Schema.Union(Schema.String, Schema.Int))

const code = Schema.String.annotations({
  jsonSchema: {
    type: "string",
    enum: [
      "missing",
      "string_type",
      "string_too_long",
      "string_too_short",
      "literal_error",
      "too_short",
      "too_long",
      "list_type",
      "dict_type",
      "bool_type",
      "int_parsing",
      "float_type",
      "greater_than_equal",
      "less_than_equal",
      "model_attributes_type",
      "json_invalid",
      "value_error"
    ]
  }
})

/** One thing that is wrong with a request: where, what in words, and a code for programs. */
export const Detail = Schema.Struct({
  loc: about(Location, "Where: `body`, `query` or `path`, then names of fields and places in lists, from 0."),
  msg: about(Schema.String, "What is wrong, in words."),
  type: about(code, "A code for programs, which should take one that they do not know as `value_error`.")
}).annotations({
  identifier: "ValidationError"
})
export type Detail = typeof Detail.Type

type Undecodable = HttpApiError.HttpApiDecodeError | HttpServerError.RequestError

const isUndecodable = (input: unknown): input is Undecodable =>
  input instanceof HttpApiError.HttpApiDecodeError ||
  (HttpServerError.isServerError(input) && input._tag === "RequestError" && input.reason === "Decode")

/** A request that could not be read: its fields are wrong, or its body is no JSON (which the framework reports as a defect). */
export const Undecodable = Schema.declare((input: unknown): input is HttpApiError.HttpApiDecodeError =>
  isUndecodable(input)
)

const worded = /^([a-z_]+): (.*)$/s

/** What the members of a union are told apart by, as the library lists it. */
const names = /^Expected ("[^"]*"(?: \| "[^"]*")+), actual /

const startsWith = (path: ReadonlyArray<unknown>, prefix: ReadonlyArray<unknown>) =>
  prefix.every((part, index) => part === path[index])

type Issue = HttpApiError.HttpApiDecodeError["issues"][number]

/** So many issues are told at once; a body of megabytes can be wrong in more places than anyone would read. */
const most = 100

/** What is wrong, in the order of the fields; of an optional field's branches only the one that speaks of the field. */
export const details = (all: ReadonlyArray<Issue>, root: string): ReadonlyArray<Detail> => {
  const issues = all.slice(0, most * 4)
  const spoken = issues.filter((issue) => issue._tag === "Missing" || worded.test(issue.message))
  const mute = issues.filter(
    (issue) => !spoken.includes(issue) && !spoken.some((said) => startsWith(said.path, issue.path))
  )
  const seen = new Set<string>()
  const told = [...spoken, ...mute].flatMap((issue): ReadonlyArray<Detail> => {
    const loc = [root, ...issue.path.map((part) => (typeof part === "symbol" ? String(part) : part))]
    const key = JSON.stringify(loc)
    if (seen.has(key)) return []
    seen.add(key)
    if (issue._tag === "Missing") return [{ loc, msg: "Field required", type: "missing" }]
    const [, type, msg] = worded.exec(issue.message) ?? []
    const known = names.exec(issue.message)?.[1]
    if (known !== undefined) {
      const listed = known.replaceAll(`"`, "'").replaceAll(" | ", " or ")
      return [{ loc, msg: `Input should be ${listed}`, type: "literal_error" }]
    }
    return type !== undefined && msg !== undefined
      ? [{ loc, msg, type }]
      : [
          {
            loc,
            msg: "Input should be a valid dictionary or object to extract fields from",
            type: "model_attributes_type"
          }
        ]
  })
  return told.slice(0, most)
}

const notJson: ReadonlyArray<Detail> = [{ loc: ["body"], msg: "JSON decode error", type: "json_invalid" }]

/** Which part of the request being served the issues are of: what its path names is read first, alone, and is no field of the rest. */
const rootOf = (issues: ReadonlyArray<Issue>) =>
  Effect.gen(function* () {
    const route = yield* Effect.serviceOption(HttpRouter.RouteContext)
    const named = Option.match(route, {
      onNone: (): ReadonlyArray<string> => [],
      onSome: ({ params }) => Object.keys(params)
    })
    if (issues.some(({ path: [name] }) => typeof name === "string" && named.includes(name))) return "path"
    const request = yield* Effect.serviceOption(HttpServerRequest.HttpServerRequest)
    return Option.exists(request, ({ method }) => method === "GET" || method === "HEAD") ? "query" : "body"
  })

/** What is wrong with the request being served, whatever dialect the answer speaks. */
export const detailsOf = (error: HttpApiError.HttpApiDecodeError) =>
  error instanceof HttpApiError.HttpApiDecodeError
    ? Effect.map(rootOf(error.issues), (root) => details(error.issues, root))
    : Effect.succeed(notJson)

const Body = Schema.Struct({ detail: Schema.Array(Detail) }).annotations({ identifier: "HTTPValidationError" })

const AnyBody = Schema.Unknown.annotations({ jsonSchema: { $ref: "#/components/schemas/HTTPValidationError" } })

/** The 422 body `{ detail: [{ loc, msg, type }] }`, in FastAPI's form, of a request that could not be read. */
export const ValidationBody = Schema.transformOrFail(AnyBody, Undecodable, {
  strict: true,
  decode: (body) =>
    ParseResult.map(
      ParseResult.decodeUnknown(Body)(body),
      ({ detail }) =>
        new HttpApiError.HttpApiDecodeError({
          issues: detail.map(({ loc, msg, type }) => ({
            _tag: "Refinement" as const,
            path: loc.slice(1),
            message: `${type}: ${msg}`
          })),
          message: "The request is not valid."
        })
    ),
  encode: (error) => Effect.map(detailsOf(error), (detail) => ({ detail }))
}).annotations(HttpApiSchema.annotations({ status: 422 }))

/** The same body for a rule that the service found broken. */
export const InvalidRequestBody = Schema.transform(Body, Schema.typeSchema(InvalidRequest), {
  strict: true,
  decode: ({ detail }) => new InvalidRequest({ detail }),
  encode: ({ detail }) => ({ detail })
}).annotations({ identifier: "HTTPValidationError", ...HttpApiSchema.annotations({ status: 422 }) })
