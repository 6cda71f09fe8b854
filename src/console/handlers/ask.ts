import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { ConsoleApi } from "#schema/ConsoleApi"
import { Decisions } from "../../decisions/Decisions.ts"
import { QuestionSets } from "../../questions/QuestionSets.ts"
import { Payment } from "../Payment.ts"

/** The playground's questions, paid by the account that is signed in. */
export const AskHandlers = HttpApiBuilder.group(ConsoleApi, "ask", (handlers) =>
  Effect.gen(function* () {
    const sets = yield* QuestionSets
    const decisions = yield* Decisions
    const payment = yield* Payment

    return handlers
      .handle("ask", ({ payload }) => payment.of(payload.questions.length, (caller) => sets.answer(caller, payload)))
      .handle("askTemplate", ({ payload: { text, ...spec } }) =>
        payment.of(1, (caller) => decisions.decide({ ...caller, spec, text }))
      )
  })
)
