import { Effect } from "effect"
import { ListingRpcs } from "#schema/rpc/Listing"
import { Accounts } from "../accounts/Accounts.ts"
import { Decisions } from "../decisions/Decisions.ts"
import { Flows } from "../flows/Flows.ts"
import { Models } from "../models/Models.ts"

/** What an account can name in its requests. One that is not there is said to be missing, not to have nothing. */
export const ListingHandlers = ListingRpcs.toLayer(
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const { templates } = yield* Decisions
    const flows = yield* Flows
    const models = yield* Models
    return ListingRpcs.of({
      ListTemplates: () => Effect.succeed(templates),
      ListModels: ({ account }) => Effect.zipRight(accounts.get(account), models.list(account)),
      ListFlows: ({ account }) => Effect.zipRight(accounts.get(account), flows.list(account)),
      GetFlow: ({ account, slug }) => flows.get(account, slug)
    })
  })
)
