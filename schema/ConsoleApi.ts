import { HttpApi } from "@effect/platform"
import { SameOrigin } from "./console/Access.ts"
import { AskApi } from "./console/Ask.ts"
import { BillingApi } from "./console/Billing.ts"
import { CatalogueApi } from "./console/Catalogue.ts"
import { KeysApi } from "./console/Keys.ts"
import { PasswordApi, SessionApi } from "./console/Session.ts"
import { ValidationBody } from "./Validation.ts"

/** What the pages of the console ask for; its callers hold a session cookie instead of a key. */
export class ConsoleApi extends HttpApi.make("console")
  .add(SessionApi.middleware(SameOrigin))
  .add(PasswordApi.middleware(SameOrigin))
  .add(KeysApi.middleware(SameOrigin))
  .add(BillingApi.middleware(SameOrigin))
  .add(AskApi.middleware(SameOrigin))
  .add(CatalogueApi.middleware(SameOrigin))
  .prefix("/console/api") {
  static override readonly errorSchema = ValidationBody
}
