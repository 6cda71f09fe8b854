import { Schema } from "effect"
import { name, optional, request, text } from "./Field.ts"
import { FlowFault } from "./FlowFault.ts"
import { FlowGraph } from "./FlowGraph.ts"
import { Limits } from "./Limits.ts"

const limits = Limits.flow

/** The address of a flow under /v1/flows: small letters and digits in words joined by single dashes. */
export const FlowSlug = name(limits.slug).pipe(
  Schema.pattern(/^[a-z0-9]+(-[a-z0-9]+)*$/, {
    message: () => "value_error: Value error, use small letters, digits and single dashes between them"
  })
)

const Description = text(limits.description).pipe(
  Schema.filter((value) => !value.includes("\0"), {
    message: () => "value_error: Value error, the character U+0000 is not allowed"
  })
)

/** What its author says of a flow. */
export const FlowContent = request("FlowContent", {
  name: name(limits.name),
  description: optional(Description),
  definition: FlowGraph
})
export type FlowContent = typeof FlowContent.Type

const draftFields = {
  id: Schema.String,
  slug: Schema.String,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  /** Grows with every change; a change names the one it is based on. */
  revision: Schema.Int,
  /** The version that /v1 runs; null where it runs none. */
  published_version: Schema.NullOr(Schema.Int),
  /** The revision that became the published version. */
  published_revision: Schema.NullOr(Schema.Int),
  updated_at: Schema.String
}

/** A flow as its author's list shows it, published or not. */
export const FlowDraftSummary = Schema.Struct(draftFields).annotations({ identifier: "FlowDraftSummary" })
export type FlowDraftSummary = typeof FlowDraftSummary.Type

/** The state of a flow that its author works on. */
export const FlowDraft = Schema.Struct({ ...draftFields, definition: FlowGraph }).annotations({
  identifier: "FlowDraft"
})
export type FlowDraft = typeof FlowDraft.Type

/** A version that was published once; it never changes. */
export const FlowVersionSummary = Schema.Struct({
  version: Schema.Int,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  questions: Schema.Int,
  outcomes: Schema.Array(Schema.String),
  /** Questions on its longest way: what a run reserves. */
  longest_path: Schema.Int,
  published_at: Schema.String
}).annotations({ identifier: "FlowVersionSummary" })
export type FlowVersionSummary = typeof FlowVersionSummary.Type

/** A version with its definition. */
export const FlowVersion = Schema.Struct({ ...FlowVersionSummary.fields, definition: FlowGraph }).annotations({
  identifier: "FlowVersion"
})
export type FlowVersion = typeof FlowVersion.Type

/** The draft has changed since the revision that a change was based on; nothing was overwritten. */
export class FlowConflict extends Schema.TaggedError<FlowConflict>()("FlowConflict", {
  message: Schema.String,
  /** The revision that the draft has now. */
  revision: Schema.Int
}) {
  static readonly at = (revision: number) =>
    new FlowConflict({
      message: `The flow has been changed in the meantime and is at revision ${revision} now. Load it and make your change again.`,
      revision
    })
}

/** The draft cannot be published; every fault is listed. */
export class FlowInvalid extends Schema.TaggedError<FlowInvalid>()("FlowInvalid", {
  message: Schema.String,
  faults: Schema.Array(FlowFault)
}) {
  static readonly because = (faults: ReadonlyArray<FlowFault>) =>
    new FlowInvalid({
      message: `The flow cannot be run as it stands: ${faults.length} fault${faults.length === 1 ? "" : "s"} to mend.`,
      faults
    })
}

/** The account has a flow of this slug already. */
export class SlugTaken extends Schema.TaggedError<SlugTaken>()("SlugTaken", { message: Schema.String }) {
  static readonly of = () => new SlugTaken({ message: "There is a flow with this slug already. Choose another." })
}

/** The account has as many flows as it may have. */
export class TooManyFlows extends Schema.TaggedError<TooManyFlows>()("TooManyFlows", { message: Schema.String }) {
  static readonly of = (most: number) =>
    new TooManyFlows({ message: `An account has at most ${most} flows. Delete one that is no longer used.` })
}
