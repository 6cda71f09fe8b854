import { BunContext } from "@effect/platform-bun"
import { Layer } from "effect"
import { Accounts } from "./accounts/Accounts.ts"
import { FirstStart } from "./accounts/FirstStart.ts"
import { Passwords } from "./accounts/Passwords.ts"
import { Admission } from "./admission/Admission.ts"
import { AnswerCache } from "./answers/AnswerCache.ts"
import { Answers } from "./answers/Answers.ts"
import { Ledger } from "./billing/Ledger.ts"
import { Price } from "./billing/Price.ts"
import { Usage } from "./billing/Usage.ts"
import { Database } from "./database/Database.ts"
import { Decisions } from "./decisions/Decisions.ts"
import { Flows } from "./flows/Flows.ts"
import { Runs } from "./flows/Runs.ts"
import { Server } from "./http/Server.ts"
import { Inference } from "./inference/Inference.ts"
import { Keys } from "./keys/Keys.ts"
import { Logging } from "./Logging.ts"
import { Language } from "./language/Language.ts"
import { Models } from "./models/Models.ts"
import { Registrations } from "./models/Registrations.ts"
import { Moderation } from "./moderation/Moderation.ts"
import { QuestionSets } from "./questions/QuestionSets.ts"
import { Settings } from "./Settings.ts"

/** Whose requests these are, and what they may do. */
export const Customers = Layer.mergeAll(Accounts.layer, Keys.layer, Admission.layer, Ledger.layer)

/** What the service answers. */
export const Features = Layer.mergeAll(Runs.layer, Usage.layer, Registrations.layer).pipe(
  Layer.provideMerge(Flows.layer),
  Layer.provideMerge(Layer.mergeAll(Decisions.layerNoDeps, QuestionSets.layerNoDeps, Moderation.layerNoDeps)),
  Layer.provideMerge(Answers.layerNoDeps),
  Layer.provideMerge(Layer.mergeAll(AnswerCache.layer, Price.layer))
)

/** The whole service but for its settings, its database, its models and who runs them. */
export const Service = FirstStart.pipe(
  Layer.provideMerge(Server),
  Layer.provideMerge(Features),
  Layer.provideMerge(Customers)
)

/** The service as it runs. */
export const App = Service.pipe(
  Layer.provide(Inference.layerNoDeps),
  Layer.provide(Models.layer),
  Layer.provide(Language.layer),
  Layer.provide(Passwords.layer),
  Layer.provide(Database),
  Layer.provide(Logging),
  Layer.provide(Settings.layer),
  Layer.provide(BunContext.layer)
)
