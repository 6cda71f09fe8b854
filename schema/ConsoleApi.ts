import { HttpApi } from "@effect/platform"
import { SameOrigin } from "./console/Access.ts"
import { AskApi } from "./console/Ask.ts"
import { BillingApi } from "./console/Billing.ts"
import { CatalogueApi } from "./console/Catalogue.ts"
import { FlowDraftsApi } from "./console/Flows.ts"
import { KeysApi } from "./console/Keys.ts"
import { ModerationApi } from "./console/Moderation.ts"
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
  .add(FlowDraftsApi.middleware(SameOrigin))
  .add(ModerationApi.middleware(SameOrigin))
  .prefix("/console/api") {
  static override readonly errorSchema = ValidationBody
}
