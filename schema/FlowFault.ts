import { Schema } from "effect"

/** Something that keeps a draft from being published, and the node or edge it concerns. */
export const FlowFault = Schema.Struct({
  code: Schema.Literal(
    /** `start` is absent, names no node, or names an end. */
    "no_start",
    /** A question that begins a way of its own: nothing leads to it. */
    "two_starts",
    /** An edge that leads back to a question that came before it. */
    "cycle",
    /** A node that no run can come to. */
    "unreachable",
    /** Answers of a question that no edge takes; `answers` lists them. */
    "missing_way",
    /** An edge that names an answer which its question does not have. */
    "bad_option",
    /** An edge whose condition another edge of the same question has already. */
    "duplicate_edge",
    /** An id that an earlier node or edge has already. */
    "duplicate_id",
    /** An edge that begins or ends at a node that is not there, or begins at an end. */
    "dangling_edge",
    /** No node ends a run, or an end has no outcome. */
    "no_outcome",
    /** More questions on the longest way than a run may ask. */
    "too_long",
    /** A question that cannot be asked as it stands. */
    "bad_spec"
  ),
  /** What is wrong and what to change. */
  message: Schema.String,
  node: Schema.optionalWith(Schema.String, { exact: true }),
  edge: Schema.optionalWith(Schema.String, { exact: true }),
  answers: Schema.optionalWith(Schema.Array(Schema.String), { exact: true })
}).annotations({ identifier: "FlowFault" })
export type FlowFault = typeof FlowFault.Type
