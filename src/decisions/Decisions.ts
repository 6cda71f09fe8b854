import { Clock, Context, Effect, Layer } from "effect"
import type { Decision, DecisionSpec } from "#schema/Decision"
import type { InvalidRequest, Overloaded, Unavailable } from "#schema/Errors"
import type { Template } from "#schema/Template"
import { Answers, type Location } from "../answers/Answers.ts"
import { Price } from "../billing/Price.ts"
import type { Question } from "../inference/Question.ts"
import { Language } from "../language/Language.ts"
import { withIdentifiers } from "../pii/PersonalData.ts"
import * as Answer from "./Answer.ts"
import { type Asked, askedOf } from "./Asked.ts"
import { listed, templates } from "./Templates.ts"

/** One text to decide about, for one account. */
export interface Deciding {
  readonly accountId: string
  readonly requestId: string
  readonly spec: DecisionSpec
  readonly text: string
  /** Where in the body the text is; at `text` where absent. */
  readonly loc?: Location
}

const modelQuestion = ({ type, question, options }: Asked): Question => ({
  type: type === "yes_no" ? "noul" : type,
  wording: question,
  options: options.map(({ name, description }) => (description === null ? { name } : { name, description }))
})

const outcome = ({ type, options }: Asked, probabilities: ReadonlyArray<number>) => {
  const names = options.map(({ name }) => name)
  const named = (shares: ReadonlyArray<number>) => Object.fromEntries(names.map((name, i) => [name, shares[i] ?? 0]))
  switch (type) {
    case "choice": {
      const { chosen, confidence, probabilities: shares } = Answer.choice(names, probabilities)
      return { decision: chosen, confidence, probabilities: named(shares) }
    }
    case "score": {
      const { level, score, confidence, probabilities: shares } = Answer.score(probabilities)
      return { decision: names[level] ?? "", score, confidence, probabilities: named(shares) }
    }
    case "yes_no": {
      const { yes, confidence, probabilities: shares } = Answer.yesNo(probabilities)
      return { decision: yes >= 0.5, probability: yes, confidence, probabilities: named(shares) }
    }
  }
}

/** Typed decisions about texts: ready-made ones and the caller's own. */
export class Decisions extends Context.Tag("svc/Decisions")<
  Decisions,
  {
    readonly decide: (deciding: Deciding) => Effect.Effect<Decision, InvalidRequest | Overloaded | Unavailable>
    readonly templates: ReadonlyArray<Template>
    /** The type and options of what a spec asks: its own, or its template's. */
    readonly asked: (spec: DecisionSpec) => Asked
  }
>() {
  static readonly layerNoDeps = Layer.effect(
    Decisions,
    Effect.gen(function* () {
      const answers = yield* Answers
      const language = yield* Language
      const price = yield* Price
      const all = templates(language.languages)
      const asked = askedOf(all)

      const answered = Effect.fnUntraced(function* (deciding: Deciding, question: Asked) {
        const { accountId, requestId, spec, text, loc = ["body", "text"] } = deciding
        if (spec.template === "language") {
          if (spec.model !== undefined) yield* answers.model(accountId, spec.model, { state: text })
          const found = yield* language.probabilities(text)
          return { model: language.name, inputTokens: 0, probabilities: found }
        }
        const { model, inputTokens, probabilities } = yield* answers.ask({
          accountId,
          requestId,
          model: spec.model ?? "svc-auto",
          ...(spec.lang === undefined ? {} : { lang: spec.lang }),
          state: text,
          questions: [modelQuestion(question)],
          locations: { state: loc, questions: [["body", spec.template === undefined ? "question" : "template"]] },
          cache: spec.cache ?? true
        })
        const [found = []] = probabilities
        return { model, inputTokens, probabilities: spec.template === "pii" ? withIdentifiers(text, found) : found }
      })

      const decide = Effect.fn("Decisions.decide")(function* (deciding: Deciding) {
        const started = yield* Clock.currentTimeNanos
        const question = asked(deciding.spec)
        const { model, inputTokens, probabilities } = yield* answered(deciding, question)
        const took = Number((yield* Clock.currentTimeNanos) - started) / 1_000_000
        return {
          ...outcome(question, probabilities),
          template: deciding.spec.template ?? null,
          model,
          usage: { decisions: 1, input_tokens: inputTokens, ...price.of(1) },
          latency_ms: Math.round(took * 100) / 100,
          request_id: deciding.requestId
        }
      })

      return Decisions.of({ decide, templates: all.map(listed), asked })
    })
  )
}
