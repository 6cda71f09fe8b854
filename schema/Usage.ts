import { Schema } from "effect"

/** US dollars; a micro is a millionth of one. */
export const Usd = Schema.Number

/** What one answer used and cost. */
export const DecisionUsage = Schema.Struct({
  decisions: Schema.Int,
  input_tokens: Schema.Int,
  cost_micros: Schema.Int,
  cost_usd: Usd
}).annotations({ identifier: "DecisionUsage" })
export type DecisionUsage = typeof DecisionUsage.Type
