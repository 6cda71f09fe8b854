import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { Authorization } from "./Authorization.ts"
import { UnavailableBody } from "./ErrorBodies.ts"
import { integerParam } from "./Field.ts"
import { Limits } from "./Limits.ts"

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

const amounts = { decisions: Schema.Int, cost_micros: Schema.Int, cost_usd: Usd, requests: Schema.Int }

const Time = Schema.String.annotations({ jsonSchema: { type: "string", format: "date-time" } })

/** What an account has, and what it used in the last days, UTC. */
export const Usage = Schema.Struct({
  balance: Schema.Struct({
    micros: Schema.Int,
    /** Decisions that the balance pays for; null where they are free. */
    decisions_left: Schema.NullOr(Schema.Int)
  }),
  plan: Schema.Struct({
    name: Schema.String,
    /** When the plan is paid anew; null for a prepaid balance, which has no period. */
    period_end: Schema.NullOr(Time)
  }),
  totals: Schema.Struct(amounts),
  /** Every day of the span, oldest first, today last. */
  daily: Schema.Array(
    Schema.Struct({ date: Schema.String.annotations({ jsonSchema: { type: "string", format: "date" } }), ...amounts })
  ),
  /** The active keys, and revoked ones that were used in the span. What ran without a key is in the other sums alone. */
  keys: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      name: Schema.String,
      /** The prefix and the last four characters. */
      hint: Schema.String,
      ...amounts,
      last_used_at: Schema.NullOr(Time),
      revoked: Schema.Boolean
    })
  )
}).annotations({ identifier: "Usage" })
export type Usage = typeof Usage.Type

/** Which days to tell of: the last `days`, today included; 30 where not said. */
const Span = Schema.Struct({ days: Schema.optionalWith(integerParam(Limits.usageDays), { exact: true }) }).annotations({
  parseOptions: { errors: "all" }
})

export class UsageApi extends HttpApiGroup.make("usage")
  .add(HttpApiEndpoint.get("getUsage", "/usage").setUrlParams(Span).addSuccess(Usage))
  .addError(UnavailableBody)
  .middleware(Authorization) {}
