import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "#schema/Api"
import { Caller } from "#schema/Authorization"
import { Limits } from "#schema/Limits"
import { Usage } from "./Usage.ts"

/** GET /v1/usage. */
export const UsageRoutes = HttpApiBuilder.group(Api, "usage", (handlers) =>
  Effect.gen(function* () {
    const usage = yield* Usage
    return handlers.handle("getUsage", ({ urlParams: { days = Limits.usageDays.standard } }) =>
      Effect.gen(function* () {
        const { accountId } = yield* (yield* Caller).enter
        return yield* usage.of(accountId, days)
      })
    )
  })
)
