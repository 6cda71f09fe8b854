import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { Authorization } from "./Authorization.ts"
import { UnavailableBody } from "./ErrorBodies.ts"
import { about } from "./Field.ts"
import { integerParam } from "./IntegerInUrl.ts"
import { Limits } from "./Limits.ts"

/** What something cost. */
export const cost = {
  cost_micros: about(Schema.Int, "In millionths of a US dollar."),
  cost_usd: about(Schema.Number, "The same in US dollars.")
}

/** Tokens that a model read. */
export const inputTokens = about(
  Schema.Int,
  "Tokens of the text and of what was asked, as the model counts them; the price does not depend on them."
)

/** What one answer used and cost. */
export const DecisionUsage = Schema.Struct({
  decisions: about(Schema.Int, "Billed decisions."),
  input_tokens: inputTokens,
  ...cost
}).annotations({ identifier: "DecisionUsage" })
export type DecisionUsage = typeof DecisionUsage.Type

const amounts = {
  decisions: about(Schema.Int, "Billed decisions."),
  ...cost,
  requests: about(Schema.Int, "Requests, free ones included.")
}

const Time = Schema.String.annotations({ jsonSchema: { type: "string", format: "date-time" } })

/** What an account has, and what it used in the last days, UTC. */
export const Usage = Schema.Struct({
  balance: Schema.Struct({
    micros: about(Schema.Int, "In millionths of a US dollar."),
    decisions_left: about(
      Schema.NullOr(Schema.Int),
      "Decisions that the balance pays for; null where decisions are free."
    )
  }),
  plan: Schema.Struct({
    name: Schema.String,
    period_end: about(
      Schema.NullOr(Time),
      "When the plan is paid anew; null for a prepaid balance, which has no period."
    )
  }),
  totals: about(Schema.Struct(amounts), "All days of the span together."),
  daily: about(
    Schema.Array(
      Schema.Struct({
        date: about(Schema.String.annotations({ jsonSchema: { type: "string", format: "date" } }), "A day in UTC."),
        ...amounts
      })
    ),
    "Every day of the span, oldest first, today last."
  ),
  keys: about(
    Schema.Array(
      Schema.Struct({
        id: Schema.String,
        name: Schema.String,
        hint: about(Schema.String, "The prefix and the last four characters."),
        ...amounts,
        last_used_at: about(Schema.NullOr(Time), "null for a key that was never used."),
        revoked: Schema.Boolean
      })
    ),
    "The active keys, and revoked ones that were used in the span. What ran without a key is in the other sums alone."
  )
}).annotations({ identifier: "Usage" })
export type Usage = typeof Usage.Type

/** Which days to tell of. */
const Span = Schema.Struct({
  days: Schema.optionalWith(integerParam(Limits.usageDays), { exact: true }).annotations({
    description: "So many days, today included, in UTC."
  })
}).annotations({
  parseOptions: { errors: "all" }
})

/** What the account of a key has and used; free. */
export class UsageApi extends HttpApiGroup.make("usage")
  .add(HttpApiEndpoint.get("getUsage", "/usage").setUrlParams(Span).addSuccess(Usage))
  .addError(UnavailableBody)
  .middleware(Authorization) {}
