import { Schema } from "effect"

/** One change of a balance; charges are negative, a refund undoes a charge that got no answer. */
export const LedgerEntry = Schema.Struct({
  id: Schema.String,
  kind: Schema.Literal("credit", "charge", "refund"),
  micros: Schema.Int,
  decisions: Schema.Int,
  key_id: Schema.NullOr(Schema.String),
  reference: Schema.String,
  created_at: Schema.String
}).annotations({ identifier: "LedgerEntry" })
export type LedgerEntry = typeof LedgerEntry.Type
