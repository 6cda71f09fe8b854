import { Schema } from "effect"
import { Storable } from "#schema/Storable"

/** An answer that is kept for a retry. */
export const StoredAnswer = Schema.Struct({
  status: Schema.Int,
  headers: Schema.Record({ key: Storable, value: Storable }),
  body: Storable
})
export type StoredAnswer = typeof StoredAnswer.Type
