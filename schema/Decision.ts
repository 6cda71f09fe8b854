import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { Authorization } from "./Authorization.ts"
import { InsufficientCreditsBody, OverloadedBody, UnavailableBody } from "./ErrorBodies.ts"
import { about, list, oneOf, optional, request, ruled, string, text } from "./Field.ts"
import { Limits } from "./Limits.ts"
import { Options } from "./Question.ts"
import { alias, cache, confidence, lang, probabilities, requestId } from "./Shared.ts"
import { TemplateName } from "./Template.ts"
import { cost, DecisionUsage } from "./Usage.ts"
import { InvalidRequestBody } from "./Validation.ts"

const specFields = {
  template: optional(TemplateName).annotations({
    description: "A ready-made decision, in place of `type`, `question` and `options`. GET /v1/templates lists them."
  }),
  type: optional(oneOf("choice", "yes_no", "score")).annotations({
    description: "How the question is answered: with one of the options, yes or no, or a level on an ordered scale."
  }),
  question: optional(text(Limits.question)).annotations({ description: "What is asked about the text." }),
  options: optional(Options).annotations({
    description:
      "Of a choice or score: a list of names, or a map of names to short descriptions, which the model reads. Levels go lowest first."
  }),
  model: optional(string).annotations({
    description: `svc-auto (the default), svc-english, svc-multilingual, or a name of GET /v1/models. ${alias}`
  }),
  lang,
  cache
}

const Spec = Schema.Struct(specFields)

/** What to decide: a template, or a type with a question and, for choice and score, its options. */
export type DecisionSpec = typeof Spec.Type

const oneWayToAsk = (spec: DecisionSpec): string | undefined => {
  const { template, type, question, options } = spec
  if (template !== undefined)
    return type !== undefined || question !== undefined || options !== undefined
      ? "give either 'template' or 'type' and 'question' (and 'options'), not both"
      : undefined
  if (type === undefined && question === undefined)
    return "give either 'template', or 'type' and 'question' (and 'options' for choice and score)"
  if (type === undefined) return "'type' is required with 'question'"
  if (question === undefined) return "'question' is required with 'type'"
  if (type === "yes_no") return options === undefined ? undefined : "'options' cannot be given with type 'yes_no'"
  return options === undefined ? `'options' is required with type '${type}'` : undefined
}

const absent = { type: "null" }
const written = { type: "string" }

/** `oneWayToAsk` in JSON Schema; a rule across fields is not part of the schemas that the fields give. */
export const waysToAsk = {
  anyOf: [
    { required: ["template"], properties: { template: written, type: absent, question: absent, options: absent } },
    {
      required: ["type", "question"],
      properties: { template: absent, type: { const: "yes_no" }, question: written, options: absent }
    },
    {
      required: ["type", "question", "options"],
      properties: {
        template: absent,
        type: { enum: ["choice", "score"] },
        question: written,
        options: { type: ["array", "object"] }
      }
    }
  ]
}

/** A spec on its own, as a flow's node holds it. */
export const DecisionSpec = ruled(request("DecisionSpec", specFields), oneWayToAsk)

/** What to decide about one text. */
export const DecideRequest = ruled(
  request("DecideRequest", {
    ...specFields,
    text: text(Limits.text).annotations({ description: "What is decided about. All of it is read." })
  }),
  oneWayToAsk
)
export type DecideRequest = typeof DecideRequest.Type

/** The same to decide about many texts. */
export const DecideBatchRequest = ruled(
  request("DecideBatchRequest", {
    ...specFields,
    texts: list(text(Limits.text), 1, Limits.batch, { type: "string", maxLength: Limits.text }).annotations({
      description: "What is decided about, each on its own."
    })
  }),
  oneWayToAsk
)
export type DecideBatchRequest = typeof DecideBatchRequest.Type

const answerFields = {
  decision: about(
    Schema.Union(Schema.String, Schema.Boolean),
    "choice: the most probable option. yes_no: true or false. score: the most probable level."
  ),
  probability: Schema.optionalWith(Schema.Number, { exact: true }).annotations({
    description: "yes_no only: probability of yes."
  }),
  score: Schema.optionalWith(Schema.Number, { exact: true }).annotations({
    description: "score only: expected level, counted from 0."
  }),
  confidence,
  probabilities,
  template: about(
    Schema.NullOr(Schema.String),
    "The ready-made decision that was asked for; null for a question of your own."
  ),
  model: about(Schema.String, "The model that answered, never svc-auto."),
  usage: DecisionUsage,
  latency_ms: about(Schema.Number, "Milliseconds that the answer took.")
}

/** An answered decision. */
export const Decision = Schema.Struct({ ...answerFields, request_id: requestId }).annotations({
  identifier: "Decision"
})
export type Decision = typeof Decision.Type

const item = {
  index: about(Schema.Int, "Place of the text in `texts`, from 0."),
  status: about(Schema.Int, "HTTP status that this text alone has; 200 where it is answered.")
}

/** One text of a batch: its answer, or the status and detail of its failure. */
export const BatchItem = Schema.Union(
  Schema.Struct({ ...item, ...answerFields, request_id: requestId }),
  Schema.Struct({ ...item, detail: about(Schema.Unknown, "As in the body of an answer of this status.") })
).annotations({ identifier: "BatchDecision" })
export type BatchItem = typeof BatchItem.Type

/** The answers to a batch: a text that fails leaves the others theirs. */
export const DecideBatchResponse = Schema.Struct({
  results: about(Schema.Array(BatchItem), "One for each text, in their order."),
  usage: Schema.Struct({
    decisions: about(Schema.Int, "Billed decisions: one for each text that is answered."),
    failed: about(Schema.Int, "Texts that are not answered, and not billed."),
    ...cost
  }),
  request_id: requestId
}).annotations({ identifier: "DecideBatchResponse" })
export type DecideBatchResponse = typeof DecideBatchResponse.Type

/** Decisions about texts, one or many in a request; a decision for each text. */
export class DecisionsApi extends HttpApiGroup.make("decisions")
  .add(HttpApiEndpoint.post("decide", "/decide").setPayload(DecideRequest).addSuccess(Decision))
  .add(
    HttpApiEndpoint.post("decideBatch", "/decide/batch").setPayload(DecideBatchRequest).addSuccess(DecideBatchResponse)
  )
  .addError(InvalidRequestBody)
  .addError(InsufficientCreditsBody)
  .addError(UnavailableBody)
  .addError(OverloadedBody)
  .middleware(Authorization) {}
