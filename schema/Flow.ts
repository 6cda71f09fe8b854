import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { Authorization } from "./Authorization.ts"
import { FlowNotFoundBody, InsufficientCreditsBody, OverloadedBody, UnavailableBody } from "./ErrorBodies.ts"
import { optional, request, string, text } from "./Field.ts"
import { FlowGraph } from "./FlowGraph.ts"
import { Limits } from "./Limits.ts"
import { Usd } from "./Usage.ts"
import { InvalidRequestBody } from "./Validation.ts"

const DateTime = Schema.String.annotations({ jsonSchema: { type: "string", format: "date-time" } })

/** A published flow as it is listed. */
export const FlowSummary = Schema.Struct({
  /** The slug under which it is run. */
  flow: Schema.String,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  version: Schema.Int,
  /** Number of nodes that ask. */
  questions: Schema.Int,
  /** Distinct outcomes, in the order in which the definition names them. */
  outcomes: Schema.Array(Schema.String),
  updated_at: DateTime
}).annotations({ identifier: "FlowSummary" })
export type FlowSummary = typeof FlowSummary.Type

/** A published flow with its definition. */
export const Flow = Schema.Struct({ ...FlowSummary.fields, definition: FlowGraph }).annotations({ identifier: "Flow" })
export type Flow = typeof Flow.Type

export const FlowRunRequest = request("FlowRunRequest", { text: text(Limits.text), lang: optional(string) })
export type FlowRunRequest = typeof FlowRunRequest.Type

/** A question that a run asked. */
export const Step = Schema.Struct({
  /** Id of the node. */
  step: Schema.String,
  label: Schema.String,
  /** Name of the option or level, or `yes` or `no`. */
  answer: Schema.String,
  /** Probability of the answer. */
  probability: Schema.Number,
  confidence: Schema.Number,
  /** Id of the edge that was taken. */
  followed: Schema.String,
  probabilities: Schema.Record({ key: Schema.String, value: Schema.Number })
}).annotations({ identifier: "FlowStep" })
export type Step = typeof Step.Type

/** What came of running a flow on a text; only the questions on its path are billed. */
export const FlowRun = Schema.Struct({
  flow: Schema.String,
  version: Schema.Int,
  outcome: Schema.String,
  /** Id of the node at which the run ended. */
  ended_at: Schema.String,
  steps: Schema.Array(Step),
  usage: Schema.Struct({ decisions: Schema.Int, cost_micros: Schema.Int, cost_usd: Usd }),
  latency_ms: Schema.Int,
  request_id: Schema.String
}).annotations({ identifier: "FlowRun" })
export type FlowRun = typeof FlowRun.Type

const slug = Schema.Struct({ slug: Schema.String })

export class FlowsApi extends HttpApiGroup.make("flows")
  .add(HttpApiEndpoint.get("listFlows", "/flows").addSuccess(Schema.Struct({ flows: Schema.Array(FlowSummary) })))
  .add(HttpApiEndpoint.get("getFlow", "/flows/:slug").setPath(slug).addSuccess(Flow).addError(FlowNotFoundBody))
  .add(
    HttpApiEndpoint.post("runFlow", "/flows/:slug/run")
      .setPath(slug)
      .setPayload(FlowRunRequest)
      .addSuccess(FlowRun)
      .addError(FlowNotFoundBody)
      .addError(InvalidRequestBody)
      .addError(InsufficientCreditsBody)
      .addError(OverloadedBody)
  )
  .addError(UnavailableBody)
  .middleware(Authorization) {}
