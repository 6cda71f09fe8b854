import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { Account, AccountNotFound, Email } from "../Account.ts"
import { standard, UnavailableBody } from "../ErrorBodies.ts"
import { request, text } from "../Field.ts"
import { integerParam } from "../IntegerInUrl.ts"
import { Credited, Grantable, ReferenceTaken } from "../Ledger.ts"
import { Limits } from "../Limits.ts"
import { storable } from "../Storable.ts"
import { NotOperatorBody, SignedIn } from "./Access.ts"

/** Nobody has the e-mail address that credit was meant for. */
export const AccountNotFoundBody = standard(
  AccountNotFound,
  404,
  "not_found",
  (message) => new AccountNotFound({ message })
)

/** Refuses a grant whose reference stands for another amount. */
export const ReferenceTakenBody = standard(
  ReferenceTaken,
  409,
  "reference_taken",
  (message) => new ReferenceTaken({ message })
)

/** What one key did on one day, UTC; `key_id` is empty for the console itself. Cost in micros of a US dollar. */
export const UsageDay = Schema.Struct({
  date: Schema.String,
  key_id: Schema.String,
  requests: Schema.Int,
  decisions: Schema.Int,
  cost_micros: Schema.Int
}).annotations({ identifier: "UsageDay" })
export type UsageDay = typeof UsageDay.Type

/** Days from `from` to `to`, both included; days and keys without use are left out of `days`. */
export const UsageReport = Schema.Struct({
  from: Schema.String,
  to: Schema.String,
  days: Schema.Array(UsageDay),
  keys: Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String }))
}).annotations({ identifier: "UsageReport" })
export type UsageReport = typeof UsageReport.Type

/** Money that came in. */
export const Credit = Schema.Struct({
  id: Schema.String,
  micros: Schema.Int,
  reference: Schema.String,
  created_at: Schema.String
}).annotations({ identifier: "Credit" })
export type Credit = typeof Credit.Type

const Days = Schema.Struct({ days: integerParam(Limits.usageDays) })

/** `reference` makes a repeated grant count once; with another amount it is refused. */
export const Grant = request("Grant", {
  email: Email,
  micros: Grantable,
  reference: storable(text(200)).pipe(
    Schema.filter((value) => value.trim() !== "", { message: () => "string_too_short: Say what the credit is for" })
  )
})

/** What was used, what is left, and what came in. */
export class BillingApi extends HttpApiGroup.make("billing")
  .add(HttpApiEndpoint.get("usage", "/usage").setUrlParams(Days).addSuccess(UsageReport))
  .add(
    HttpApiEndpoint.get("billing", "/billing").addSuccess(
      Schema.Struct({ account: Account, credits: Schema.Array(Credit) })
    )
  )
  .add(
    HttpApiEndpoint.post("grantCredit", "/credits")
      .setPayload(Grant)
      .addSuccess(Schema.Struct({ email: Schema.String, ...Credited.fields }))
      .addError(NotOperatorBody)
      .addError(AccountNotFoundBody)
      .addError(ReferenceTakenBody)
  )
  .addError(UnavailableBody)
  .middleware(SignedIn) {}
