import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { ParseResult, Schema } from "effect"
import { Authorization } from "./Authorization.ts"
import { InsufficientCreditsBody, OverloadedBody, UnavailableBody } from "./ErrorBodies.ts"
import { about, isRecord, issue, issueAt, list, ownName, request, ruled, string } from "./Field.ts"
import { Limits } from "./Limits.ts"
import { SetQuestion, sameId, setQuestionSchema } from "./SetQuestion.ts"
import { alias, cache, confidence, lang, Probabilities, requestId } from "./Shared.ts"
import { cost, inputTokens } from "./Usage.ts"
import { InvalidRequestBody } from "./Validation.ts"

const State = Schema.Union(Schema.String, Schema.Object).annotations({
  message: () => ({
    message: "value_error: Value error, state should be a string, an object or a list",
    override: true
  }),
  jsonSchema: {
    description: `What the questions are about: a text, or any JSON. At most ${Limits.renderedState} characters when written as text. All of it is read.`,
    anyOf: [{ type: "string" }, { type: "object" }, { type: "array" }]
  }
})

/** A map as its entries: a key like `__proto__` or `1` then means no more than any other. */
const Questions = Schema.transformOrFail(
  Schema.Unknown.annotations({
    jsonSchema: {
      type: "object",
      description: "Questions by ids of your own, which the model does not read.",
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

/** Questions about one state, which is read once for all of them. */
export const SystemOneRequest = request("SystemOneRequest", {
  state: State,
  model: string.annotations({
    description: `svc-auto, svc-english, svc-multilingual, or a name of GET /v1/models. ${alias}`
  }),
  questions: Questions,
  lang,
  cache
})
export type SystemOneRequest = typeof SystemOneRequest.Type

/** The answer to one question of a set, by its type. */
export const Answer = Schema.Union(
  Schema.Struct({ type: Schema.Literal("noul"), noul: about(Schema.Number, "Probability of yes."), confidence }),
  Schema.Struct({
    type: Schema.Literal("choice"),
    choice: about(Schema.String, "The most probable option."),
    confidence,
    probabilities: about(Probabilities, "Probability of each option: six decimals, of sum 1.")
  }),
  Schema.Struct({
    type: Schema.Literal("score"),
    score: about(Schema.Number, "Expected level, counted from 0."),
    confidence,
    probabilities: about(Probabilities, "Probability of each level, by its number from 0: six decimals, of sum 1."),
    legend: about(
      Schema.Record({ key: Schema.String, value: Schema.Unknown }),
      "The levels as they were sent, by their numbers from 0."
    )
  })
).annotations({ identifier: "Answer" })
export type Answer = typeof Answer.Type

/** The answers to a set: all of them, or the set has failed. */
export const SystemOneResponse = Schema.Struct({
  model: about(Schema.String, "The model that answered, never svc-auto."),
  answers: about(Schema.Record({ key: Schema.String, value: Answer }), "Answers by the ids of their questions."),
  usage: Schema.Struct({
    input_tokens: inputTokens,
    output_tokens: about(Schema.Int, "Always 0: no text is written.")
  }),
  meta: Schema.Struct({
    checkpoint: about(Schema.String, "Names the weights of the model, as in svc-en-0001."),
    cached: about(Schema.Boolean, "Whether every answer came from the cache. Cached answers are billed like others."),
    latency_ms: about(Schema.Number, "Milliseconds that the answers took."),
    request_id: requestId,
    decisions: about(Schema.Int, "Billed decisions: one for each question."),
    ...cost
  })
}).annotations({ identifier: "SystemOneResponse" })
export type SystemOneResponse = typeof SystemOneResponse.Type

/** Sets that are asked each on its own, in one request. */
export const SystemOneBatchRequest = ruled(
  request("SystemOneBatchRequest", {
    requests: list(SystemOneRequest, 1, Limits.batch, {
      $ref: "#/components/schemas/SystemOneRequest"
    }).annotations({ description: `At most ${Limits.questionsPerBatch} questions in all.` })
  }),
  ({ requests }) => {
    const questions = requests.reduce((sum, set) => sum + set.questions.length, 0)
    const most = Limits.questionsPerBatch
    return questions > most ? `a batch has at most ${most} questions in all, not ${questions}` : undefined
  }
)
export type SystemOneBatchRequest = typeof SystemOneBatchRequest.Type

/** The answers to a batch: a set that fails leaves the others theirs. */
export const SystemOneBatchResponse = Schema.Struct({
  responses: about(
    Schema.Array(
      Schema.Struct({
        index: about(Schema.Int, "Place of the set in `requests`, from 0."),
        status: about(Schema.Int, "HTTP status that this set alone has; 200 where it is answered."),
        body: Schema.Union(
          SystemOneResponse,
          Schema.Struct({ detail: about(Schema.Unknown, "As in the body of an answer of this status.") })
        )
      })
    ),
    "One for each set, in their order. What failed is not billed."
  ),
  request_id: requestId
}).annotations({ identifier: "SystemOneBatchResponse" })
export type SystemOneBatchResponse = typeof SystemOneBatchResponse.Type

/** Question sets, one or many in a request; a decision for each question. */
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
