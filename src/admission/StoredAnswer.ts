import { Schema } from "effect"

/** An answer that is kept for a retry. */
export const StoredAnswer = Schema.Struct({
  status: Schema.Int,
  headers: Schema.Record({ key: Schema.String, value: Schema.String }),
  body: Schema.String
})
export type StoredAnswer = typeof StoredAnswer.Type
