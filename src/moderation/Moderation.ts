import { Context, Effect, Layer, Record } from "effect"
import type { InvalidRequest, Overloaded, Unavailable } from "#schema/Errors"
import type { Moderation as Moderated } from "#schema/Moderation"
import { Answers } from "../answers/Answers.ts"
import { sixDecimals, yesNo } from "../decisions/Answer.ts"
import type { Question } from "../inference/Question.ts"
import type { ModerationCategory } from "../models/Manifest.ts"
import { Models } from "../models/Models.ts"
import { categories, ofMinors } from "./Categories.ts"

const asQuestion = ({ question, description }: ModerationCategory): Question => ({
  type: "noul",
  wording: question,
  options: [{ name: "yes", ...(description === undefined ? {} : { description }) }, { name: "no" }]
})

/** One text to moderate, for one account. */
export interface Moderating {
  readonly accountId: string
  readonly requestId: string
  readonly text: string
}

/** Whether a text breaks common content rules: all categories in one run of the model. */
export class Moderation extends Context.Tag("svc/Moderation")<
  Moderation,
  {
    readonly moderate: (moderating: Moderating) => Effect.Effect<Moderated, InvalidRequest | Overloaded | Unavailable>
  }
>() {
  static readonly layerNoDeps = Layer.effect(
    Moderation,
    Effect.gen(function* () {
      const answers = yield* Answers
      const models = yield* Models

      const moderate = Effect.fn("Moderation.moderate")(function* ({ accountId, requestId, text }: Moderating) {
        const { manifest } = yield* models.route({ state: text })
        const asked = Record.map(categories, (standard, category) => manifest.moderation?.[category] ?? standard)
        const { probabilities } = yield* answers.ask({
          accountId,
          requestId,
          model: manifest.name,
          state: text,
          questions: [...Record.values(asked), ofMinors].map(asQuestion),
          locations: { state: ["body", "input"], questions: [] },
          cache: true
        })
        const order = Record.keys(asked)
        const yes = Record.map(asked, (_, category) => yesNo(probabilities[order.indexOf(category)] ?? []).yes)
        const minors = yesNo(probabilities[order.length] ?? []).yes
        const scores = { ...yes, "sexual/minors": sixDecimals(yes["sexual/minors"] * minors) }
        const passed = Record.map(asked, ({ threshold }, category) => scores[category] >= threshold)
        return {
          flagged: Record.some(passed, (flag) => flag),
          categories: passed,
          category_scores: scores,
          category_applied_input_types: Record.map(asked, () => ["text" as const])
        }
      })

      return Moderation.of({ moderate })
    })
  )
}
