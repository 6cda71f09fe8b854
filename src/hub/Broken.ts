import { Schema } from "effect"

/** The connection to the hub broke, or the hub is busy: a later try may go on. */
export class Broken extends Schema.TaggedError<Broken>()("Broken", { message: Schema.String }) {}
