import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { Authorization } from "./Authorization.ts"
import { InsufficientCreditsBody, OverloadedBody, UnavailableBody } from "./ErrorBodies.ts"
import { boolean, list, oneOf, optional, request, ruled, string, text } from "./Field.ts"
import { Limits } from "./Limits.ts"
import { Options } from "./Question.ts"
import { TemplateName } from "./Template.ts"
import { DecisionUsage, Usd } from "./Usage.ts"
import { InvalidRequestBody } from "./Validation.ts"

const specFields = {
  template: optional(TemplateName),
  type: optional(oneOf("choice", "yes_no", "score")),
  question: optional(text(Limits.question)),
  options: optional(Options),
  model: optional(string),
  lang: optional(string),
  cache: optional(boolean)
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

/** A map takes names that are whole numbers first, in ascending order; a client that sends levels would send others. */
const levelsInOrder = ({ type, options = [] }: DecisionSpec): string | undefined => {
  if (type !== "score" || options.every(({ description }) => description === null)) return undefined
  const names = options.map(({ name }) => name)
  const sent = Object.keys(Object.fromEntries(names.map((name) => [name, null])))
  return names.every((name, level) => name === sent[level])
    ? undefined
    : "levels with descriptions are sent as a map, in which these would stand in another order; rename them, or leave the descriptions out"
}

const rules = (spec: DecisionSpec) => oneWayToAsk(spec) ?? levelsInOrder(spec)

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
export const DecisionSpec = ruled(request("DecisionSpec", specFields), rules)

export const DecideRequest = ruled(request("DecideRequest", { ...specFields, text: text(Limits.text) }), rules)
export type DecideRequest = typeof DecideRequest.Type

export const DecideBatchRequest = ruled(
  request("DecideBatchRequest", {
    ...specFields,
    texts: list(text(Limits.text), 1, Limits.batch, { type: "string", maxLength: Limits.text })
  }),
  rules
)
export type DecideBatchRequest = typeof DecideBatchRequest.Type

/** Probability of each option, level or of yes and no; six decimals, in the order given. */
export const Probabilities = Schema.Record({ key: Schema.String, value: Schema.Number })

const answerFields = {
  decision: Schema.Union(Schema.String, Schema.Boolean),
  probability: Schema.optionalWith(Schema.Number, { exact: true }),
  score: Schema.optionalWith(Schema.Number, { exact: true }),
  confidence: Schema.Number,
  probabilities: Probabilities,
  template: Schema.NullOr(Schema.String),
  model: Schema.String,
  usage: DecisionUsage,
  latency_ms: Schema.Number
}

/** An answered decision. */
export const Decision = Schema.Struct({ ...answerFields, request_id: Schema.String }).annotations({
  identifier: "Decision"
})
export type Decision = typeof Decision.Type

/** One text of a batch: its answer, or the status and detail of its failure. */
export const BatchItem = Schema.Union(
  Schema.Struct({ index: Schema.Int, status: Schema.Int, ...answerFields, request_id: Schema.String }),
  Schema.Struct({ index: Schema.Int, status: Schema.Int, detail: Schema.Unknown })
).annotations({ identifier: "BatchDecision" })
export type BatchItem = typeof BatchItem.Type

export const DecideBatchResponse = Schema.Struct({
  results: Schema.Array(BatchItem),
  usage: Schema.Struct({ decisions: Schema.Int, failed: Schema.Int, cost_micros: Schema.Int, cost_usd: Usd }),
  request_id: Schema.String
}).annotations({ identifier: "DecideBatchResponse" })
export type DecideBatchResponse = typeof DecideBatchResponse.Type

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
