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

/** What may be granted at a time, at most 100,000 dollars: 90,000 times that, a balance is still an exact number. */
export const Grantable = Schema.Int.pipe(
  Schema.between(1, 100_000_000_000, { message: () => "value_error: Grant more than nothing and at most $100,000" })
)

/** What granting a credit came to: where its reference had been credited before, `credited_micros` is what came then, and nothing was added. */
export const Credited = Schema.Struct({ balance_micros: Schema.Int, credited_micros: Schema.Int })
