import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "@effect/platform"
import { Schema } from "effect"
import {
  FlowNotFoundBody,
  InsufficientCreditsBody,
  OverloadedBody,
  RateLimitedBody,
  standard,
  UnauthenticatedBody,
  UnavailableBody
} from "../ErrorBodies.ts"
import { integer, request, text } from "../Field.ts"
import { FlowRun } from "../Flow.ts"
import {
  FlowConflict,
  FlowContent,
  FlowDraft,
  FlowDraftSummary,
  FlowInvalid,
  FlowSlug,
  FlowVersion,
  FlowVersionSummary,
  SlugTaken,
  TooManyFlows
} from "../FlowDraft.ts"
import { FlowFault } from "../FlowFault.ts"
import { integerInPath } from "../IntegerInUrl.ts"
import { Limits } from "../Limits.ts"
import { Name } from "../rpc/Name.ts"
import { InvalidRequestBody } from "../Validation.ts"
import { SignedIn } from "./Access.ts"
import { TooManyAttemptsBody } from "./Session.ts"

/** Refuses a slug that another flow of the account has. */
export const SlugTakenBody = standard(SlugTaken, 409, "slug_taken", (message) => new SlugTaken({ message }))
/** Refuses one flow more than an account may have. */
export const TooManyFlowsBody = standard(
  TooManyFlows,
  409,
  "too_many_flows",
  (message) => new TooManyFlows({ message })
)

/** Refuses to overwrite what was changed elsewhere; tells the revision that is there now. */
export const FlowConflictBody = Schema.transform(
  Schema.Struct({
    detail: Schema.Struct({ error_type: Schema.Literal("flow_conflict"), message: Schema.String, revision: Schema.Int })
  }),
  Schema.typeSchema(FlowConflict),
  {
    strict: true,
    decode: ({ detail: { message, revision } }) => new FlowConflict({ message, revision }),
    encode: ({ message, revision }) => ({ detail: { error_type: "flow_conflict" as const, message, revision } })
  }
).annotations(HttpApiSchema.annotations({ status: 409 }))

/** Refuses to publish a draft; tells every fault, for the editor to show where it is. */
export const FlowInvalidBody = Schema.transform(
  Schema.Struct({
    detail: Schema.Struct({
      error_type: Schema.Literal("flow_invalid"),
      message: Schema.String,
      faults: Schema.Array(FlowFault)
    })
  }),
  Schema.typeSchema(FlowInvalid),
  {
    strict: true,
    decode: ({ detail: { message, faults } }) => new FlowInvalid({ message, faults }),
    encode: ({ message, faults }) => ({ detail: { error_type: "flow_invalid" as const, message, faults } })
  }
).annotations(HttpApiSchema.annotations({ status: 422 }))

/** A draft, and everything that keeps it from being published. */
export const CheckedDraft = Schema.Struct({ draft: FlowDraft, faults: Schema.Array(FlowFault) }).annotations({
  identifier: "CheckedDraft"
})
export type CheckedDraft = typeof CheckedDraft.Type

/** A flow to begin with. */
export const FlowExample = Schema.Struct({ slug: Schema.String, content: FlowContent }).annotations({
  identifier: "FlowExample"
})
export type FlowExample = typeof FlowExample.Type

const place = Schema.Struct({ id: Name })
const versionPlace = Schema.Struct({
  ...place.fields,
  version: integerInPath({ least: 1, most: 1_000_000 })
})
const based = request("Based", { revision: integer })

/** Flows as their author draws them; a change names the revision that it is based on. */
export class FlowDraftsApi extends HttpApiGroup.make("flowDrafts")
  .add(
    HttpApiEndpoint.get("listFlows", "/flows").addSuccess(
      Schema.Struct({ flows: Schema.Array(FlowDraftSummary), examples: Schema.Array(FlowExample) })
    )
  )
  .add(
    HttpApiEndpoint.post("createFlow", "/flows")
      .setPayload(request("FlowToCreate", { slug: FlowSlug, content: FlowContent }))
      .addSuccess(FlowDraft)
      .addError(SlugTakenBody)
      .addError(TooManyFlowsBody)
  )
  .add(HttpApiEndpoint.get("getFlow", "/flows/:id").setPath(place).addSuccess(CheckedDraft).addError(FlowNotFoundBody))
  .add(
    HttpApiEndpoint.post("saveFlow", "/flows/:id")
      .setPath(place)
      .setPayload(request("FlowToSave", { revision: integer, content: FlowContent }))
      .addSuccess(CheckedDraft)
      .addError(FlowNotFoundBody)
      .addError(FlowConflictBody)
  )
  .add(
    HttpApiEndpoint.post("renameFlow", "/flows/:id/slug")
      .setPath(place)
      .setPayload(request("FlowToRename", { revision: integer, slug: FlowSlug }))
      .addSuccess(FlowDraft)
      .addError(FlowNotFoundBody)
      .addError(FlowConflictBody)
      .addError(SlugTakenBody)
  )
  .add(
    HttpApiEndpoint.post("removeFlow", "/flows/:id/remove")
      .setPath(place)
      .setPayload(based)
      .addSuccess(Schema.Struct({}))
      .addError(FlowNotFoundBody)
      .addError(FlowConflictBody)
  )
  .add(
    HttpApiEndpoint.post("testFlow", "/flows/:id/test")
      .setPath(place)
      .setPayload(request("FlowToTest", { revision: integer, text: text(Limits.text) }))
      .addSuccess(FlowRun)
      .addError(FlowNotFoundBody)
      .addError(FlowConflictBody)
      .addError(FlowInvalidBody)
      .addError(InvalidRequestBody)
      .addError(InsufficientCreditsBody)
      .addError(OverloadedBody)
      .addError(UnauthenticatedBody)
      .addError(RateLimitedBody)
  )
  .add(
    HttpApiEndpoint.post("publishFlow", "/flows/:id/publish")
      .setPath(place)
      .setPayload(based)
      .addSuccess(FlowVersionSummary)
      .addError(FlowNotFoundBody)
      .addError(FlowConflictBody)
      .addError(FlowInvalidBody)
      .addError(TooManyAttemptsBody)
  )
  .add(
    HttpApiEndpoint.post("unpublishFlow", "/flows/:id/unpublish")
      .setPath(place)
      .setPayload(based)
      .addSuccess(FlowDraft)
      .addError(FlowNotFoundBody)
      .addError(FlowConflictBody)
  )
  .add(
    HttpApiEndpoint.get("listVersions", "/flows/:id/versions")
      .setPath(place)
      .addSuccess(Schema.Struct({ versions: Schema.Array(FlowVersionSummary) }))
      .addError(FlowNotFoundBody)
  )
  .add(
    HttpApiEndpoint.get("getVersion", "/flows/:id/versions/:version")
      .setPath(versionPlace)
      .addSuccess(FlowVersion)
      .addError(FlowNotFoundBody)
  )
  .add(
    HttpApiEndpoint.post("restoreVersion", "/flows/:id/versions/:version/restore")
      .setPath(versionPlace)
      .setPayload(based)
      .addSuccess(CheckedDraft)
      .addError(FlowNotFoundBody)
      .addError(FlowConflictBody)
  )
  .addError(UnavailableBody)
  .middleware(SignedIn) {}
