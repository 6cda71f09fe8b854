import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { ParseResult, Schema } from "effect"
import { Authorization } from "./Authorization.ts"
import { InsufficientCreditsBody, OverloadedBody, UnavailableBody } from "./ErrorBodies.ts"
import { boolean, isRecord, issue, issueAt, list, optional, ownName, request, ruled, string } from "./Field.ts"
import { Limits } from "./Limits.ts"
import { SetQuestion, sameId, setQuestionSchema } from "./SetQuestion.ts"
import { Usd } from "./Usage.ts"
import { InvalidRequestBody } from "./Validation.ts"

const State = Schema.Union(Schema.String, Schema.Object).annotations({
  message: () => ({
    message: "value_error: Value error, state should be a string, an object or a list",
    override: true
  }),
  jsonSchema: {
    description: `At most ${Limits.renderedState} characters when written as text.`,
    anyOf: [{ type: "string" }, { type: "object" }, { type: "array" }]
  }
})

/** A map as its entries: a key like `__proto__` or `1` then means no more than any other. */
const Questions = Schema.transformOrFail(
  Schema.Unknown.annotations({
    jsonSchema: {
      type: "object",
      minProperties: 1,
      maxProperties: Limits.questionsPerSet,
      propertyNames: ownName,
      additionalProperties: setQuestionSchema
    }
  }),
  ruled(Schema.Array(Schema.Tuple(Schema.String, SetQuestion)), sameId),
  {
    strict: false,
    decode: (input, options, ast) => {
      if (!isRecord(input))
        return ParseResult.fail(issue(ast, input, "dict_type", "Input should be a valid dictionary"))
      const entries = Object.entries(input)
      const most = Limits.questionsPerSet
      if (entries.length === 0)
        return ParseResult.fail(
          issue(ast, input, "too_short", "Dictionary should have at least 1 item after validation, not 0")
        )
      if (entries.length > most)
        return ParseResult.fail(
          issue(
            ast,
            input,
            "too_long",
            `Dictionary should have at most ${most} items after validation, not ${entries.length}`
          )
        )
      const found = entries.flatMap(([id, question]) => {
        if (id === "__proto__")
          return [issueAt(ast, id, question, "value_error", "Value error, '__proto__' cannot be the id of a question")]
        const read = ParseResult.decodeUnknownEither(SetQuestion, options)(question)
        return read._tag === "Left" ? [new ParseResult.Pointer(id, question, read.left)] : []
      })
      const [first, ...rest] = found
      return first === undefined
        ? ParseResult.succeed(entries)
        : ParseResult.fail(new ParseResult.Composite(ast, input, [first, ...rest]))
    },
    encode: (entries) => ParseResult.succeed(Object.fromEntries(entries))
  }
)

export const SystemOneRequest = request("SystemOneRequest", {
  state: State,
  model: string,
  questions: Questions,
  lang: optional(string),
  cache: optional(boolean)
})
export type SystemOneRequest = typeof SystemOneRequest.Type

const Probabilities = Schema.Record({ key: Schema.String, value: Schema.Number })

export const Answer = Schema.Union(
  Schema.Struct({ type: Schema.Literal("noul"), noul: Schema.Number, confidence: Schema.Number }),
  Schema.Struct({
    type: Schema.Literal("choice"),
    choice: Schema.String,
    confidence: Schema.Number,
    probabilities: Probabilities
  }),
  Schema.Struct({
    type: Schema.Literal("score"),
    score: Schema.Number,
    confidence: Schema.Number,
    probabilities: Probabilities,
    legend: Schema.Record({ key: Schema.String, value: Schema.Unknown })
  })
).annotations({ identifier: "Answer" })
export type Answer = typeof Answer.Type

export const SystemOneResponse = Schema.Struct({
  model: Schema.String,
  answers: Schema.Record({ key: Schema.String, value: Answer }),
  usage: Schema.Struct({ input_tokens: Schema.Int, output_tokens: Schema.Int }),
  meta: Schema.Struct({
    checkpoint: Schema.String,
    cached: Schema.Boolean,
    latency_ms: Schema.Number,
    request_id: Schema.String,
    decisions: Schema.Int,
    cost_micros: Schema.Int,
    cost_usd: Usd
  })
}).annotations({ identifier: "SystemOneResponse" })
export type SystemOneResponse = typeof SystemOneResponse.Type

export const SystemOneBatchRequest = ruled(
  request("SystemOneBatchRequest", {
    requests: list(SystemOneRequest, 1, Limits.batch, { $ref: "#/components/schemas/SystemOneRequest" })
  }),
  ({ requests }) => {
    const questions = requests.reduce((sum, set) => sum + set.questions.length, 0)
    const most = Limits.questionsPerBatch
    return questions > most ? `a batch has at most ${most} questions in all, not ${questions}` : undefined
  }
)
export type SystemOneBatchRequest = typeof SystemOneBatchRequest.Type

export const SystemOneBatchResponse = Schema.Struct({
  responses: Schema.Array(
    Schema.Struct({
      index: Schema.Int,
      status: Schema.Int,
      body: Schema.Union(SystemOneResponse, Schema.Struct({ detail: Schema.Unknown }))
    })
  ),
  request_id: Schema.String
}).annotations({ identifier: "SystemOneBatchResponse" })
export type SystemOneBatchResponse = typeof SystemOneBatchResponse.Type

export class QuestionSetsApi extends HttpApiGroup.make("questionSets")
  .add(HttpApiEndpoint.post("systemOne", "/systemone").setPayload(SystemOneRequest).addSuccess(SystemOneResponse))
  .add(
    HttpApiEndpoint.post("systemOneBatch", "/systemone/batch")
      .setPayload(SystemOneBatchRequest)
      .addSuccess(SystemOneBatchResponse)
  )
  .addError(InvalidRequestBody)
  .addError(InsufficientCreditsBody)
  .addError(UnavailableBody)
  .addError(OverloadedBody)
  .middleware(Authorization) {}
