import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { ConsoleApi } from "#schema/ConsoleApi"
import { Limits } from "#schema/Limits"
import { Price } from "../../billing/Price.ts"
import { Moderation } from "../../moderation/Moderation.ts"
import { Payment } from "../Payment.ts"

const decisions = Limits.moderationDecisions

/** The page of moderation, paid like the endpoint. */
export const ModerationHandlers = HttpApiBuilder.group(ConsoleApi, "moderation", (handlers) =>
  Effect.gen(function* () {
    const { moderate } = yield* Moderation
    const price = yield* Price
    const payment = yield* Payment

    return handlers.handle("moderate", ({ payload: { text } }) =>
      payment.of(decisions, (caller) =>
        Effect.map(moderate({ ...caller, text }), (result) => ({
          result,
          decisions,
          cost_micros: price.of(decisions).cost_micros,
          request_id: caller.requestId
        }))
      )
    )
  })
)
