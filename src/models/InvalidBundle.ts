import { Schema } from "effect"

/** A model's folder does not hold what it should; the message names the file and what to change. */
export class InvalidBundle extends Schema.TaggedError<InvalidBundle>()("InvalidBundle", {
  directory: Schema.String,
  message: Schema.String
}) {}
