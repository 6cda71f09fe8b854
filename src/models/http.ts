import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "#schema/Api"
import { Caller } from "#schema/Authorization"
import { Models } from "./Models.ts"

/** GET /v1/models: built-in and public models, and the account's private ones. */
export const ModelsRoutes = HttpApiBuilder.group(Api, "models", (handlers) =>
  Effect.gen(function* () {
    const models = yield* Models
    return handlers.handle("listModels", () =>
      Effect.gen(function* () {
        const caller = yield* Caller
        const { accountId } = yield* caller.enter
        return { models: yield* models.list(accountId) }
      })
    )
  })
)
