import { HttpLayerRouter } from "@effect/platform"
import { Layer } from "effect"
import { ConsoleApi } from "#schema/ConsoleApi"
import { SameOriginLayer, SignedInLayer, StrangersLayer } from "./Access.ts"
import { Attempts } from "./Attempts.ts"
import { AskHandlers } from "./handlers/ask.ts"
import { BillingHandlers } from "./handlers/billing.ts"
import { CatalogueHandlers } from "./handlers/catalogue.ts"
import { FlowDraftsHandlers } from "./handlers/flows.ts"
import { KeysHandlers } from "./handlers/keys.ts"
import { ModerationHandlers } from "./handlers/moderation.ts"
import { PasswordHandlers, SessionHandlers } from "./handlers/session.ts"
import { PageRoutes } from "./Pages.ts"
import { Payment } from "./Payment.ts"
import { Sessions } from "./Sessions.ts"
import { UsageDaysRepo } from "./UsageDaysRepo.ts"

const ApiRoutes = HttpLayerRouter.addHttpApi(ConsoleApi).pipe(
  Layer.provide([
    SessionHandlers,
    PasswordHandlers,
    KeysHandlers,
    BillingHandlers,
    AskHandlers,
    CatalogueHandlers,
    FlowDraftsHandlers,
    ModerationHandlers
  ]),
  Layer.provide([SameOriginLayer, SignedInLayer, StrangersLayer]),
  Layer.provide([Sessions.layer, Attempts.layer, Payment.layer, UsageDaysRepo.layer])
)

/** /console and all below it. */
export const ConsoleRoutes = Layer.merge(ApiRoutes, PageRoutes)
