import { Schema } from "effect"
import { integer } from "./Field.ts"

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
export const Grantable = integer.pipe(
  Schema.between(1, 100_000_000_000, { message: () => "value_error: Grant more than nothing and at most $100,000" })
)

/** Micros of a US dollar as dollars. */
export const dollars = (micros: number): string => `$${(micros / 1_000_000).toFixed(6).replace(/0{1,4}$/, "")}`

/** What came under a reference, and whether it was added now: it was before where the grant is repeated. */
export const Credited = Schema.Struct({
  balance_micros: Schema.Int,
  credited_micros: Schema.Int,
  added: Schema.Boolean
})

/** Another amount was credited under this reference before. */
export class ReferenceTaken extends Schema.TaggedError<ReferenceTaken>()("ReferenceTaken", { message: Schema.String }) {
  static readonly of = (micros: number) =>
    new ReferenceTaken({
      message: `Nothing was added: ${dollars(micros)} came under this reference before. Another amount takes another reference.`
    })
}
