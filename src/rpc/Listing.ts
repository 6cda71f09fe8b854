import { Effect } from "effect"
import { ListingRpcs } from "#schema/rpc/Listing"
import { Decisions } from "../decisions/Decisions.ts"
import { Flows } from "../flows/Flows.ts"
import { Models } from "../models/Models.ts"

/** What an account can name in its requests. */
export const ListingHandlers = ListingRpcs.toLayer(
  Effect.gen(function* () {
    const { templates } = yield* Decisions
    const flows = yield* Flows
    const models = yield* Models
    return ListingRpcs.of({
      ListTemplates: () => Effect.succeed(templates),
      ListModels: ({ account }) => models.list(account),
      ListFlows: ({ account }) => flows.list(account),
      GetFlow: ({ account, slug }) => flows.get(account, slug)
    })
  })
)
