import { Schema } from "effect"

/** A model did not come from the hub; the message says why, and what to do. */
export class HubFailed extends Schema.TaggedError<HubFailed>()("HubFailed", { message: Schema.String }) {}
