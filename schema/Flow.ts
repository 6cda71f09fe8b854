import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { Authorization } from "./Authorization.ts"
import { FlowNotFoundBody, InsufficientCreditsBody, OverloadedBody, UnavailableBody } from "./ErrorBodies.ts"
import { about, optional, request, string, text } from "./Field.ts"
import { FlowGraph } from "./FlowGraph.ts"
import { Limits } from "./Limits.ts"
import { confidence, probabilities, requestId } from "./Shared.ts"
import { cost } from "./Usage.ts"
import { InvalidRequestBody } from "./Validation.ts"

const DateTime = Schema.String.annotations({ jsonSchema: { type: "string", format: "date-time" } })

/** A published flow as it is listed. */
export const FlowSummary = Schema.Struct({
  flow: about(Schema.String, "The slug under which it is run."),
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  version: about(Schema.Int, "The published version, from 1; a version never changes."),
  questions: about(Schema.Int, "Number of nodes that ask."),
  outcomes: about(Schema.Array(Schema.String), "Distinct outcomes, in the order in which the definition names them."),
  updated_at: about(DateTime, "When this version was published.")
}).annotations({ identifier: "FlowSummary" })
export type FlowSummary = typeof FlowSummary.Type

/** A published flow with its definition. */
export const Flow = Schema.Struct({ ...FlowSummary.fields, definition: FlowGraph }).annotations({ identifier: "Flow" })
export type Flow = typeof Flow.Type

/** A text to run a flow on. */
export const FlowRunRequest = request("FlowRunRequest", {
  text: text(Limits.text).annotations({ description: "What the questions of the flow are about. All of it is read." }),
  lang: optional(string).annotations({
    description:
      "ISO 639-1 code of the text, in place of those of the flow's questions; svc-auto then does not guess it."
  })
})
export type FlowRunRequest = typeof FlowRunRequest.Type

/** A question that a run asked. */
export const Step = Schema.Struct({
  step: about(Schema.String, "Id of the node."),
  label: about(Schema.String, "What the node is called."),
  answer: about(Schema.String, "Name of the option or level, or `yes` or `no`."),
  probability: about(Schema.Number, "Probability of the answer."),
  confidence,
  followed: about(Schema.String, "Id of the edge that was taken."),
  probabilities
}).annotations({ identifier: "FlowStep", description: "A question that the run asked." })
export type Step = typeof Step.Type

/** What came of running a flow on a text; only the questions on its path are billed. */
export const FlowRun = Schema.Struct({
  flow: about(Schema.String, "Its slug."),
  version: about(Schema.Int, "The version that was run."),
  outcome: about(Schema.String, "What the run came to."),
  ended_at: about(Schema.String, "Id of the node at which the run ended."),
  steps: about(Schema.Array(Step), "The questions that the run asked, in turn."),
  usage: Schema.Struct({ decisions: about(Schema.Int, "Billed decisions: one for each step."), ...cost }),
  latency_ms: about(Schema.Int, "Milliseconds that the run took."),
  request_id: requestId
}).annotations({ identifier: "FlowRun" })
export type FlowRun = typeof FlowRun.Type

const slug = Schema.Struct({ slug: about(Schema.String, "Of a published flow; GET /v1/flows lists them.") })

/** Published flows and their runs; a decision for each question that a run asks. */
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
