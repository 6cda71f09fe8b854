import { Clock, Context, Effect, Layer } from "effect"
import { InvalidRequest, type Overloaded, type Unavailable } from "#schema/Errors"
import { fits } from "#schema/Field"
import { Limits } from "#schema/Limits"
import type { Answer as SetAnswer, SystemOneRequest, SystemOneResponse } from "#schema/QuestionSet"
import type { SetQuestion } from "#schema/SetQuestion"
import { Answers } from "../answers/Answers.ts"
import { rendered } from "../answers/State.ts"
import { Price } from "../billing/Price.ts"
import * as Answer from "../decisions/Answer.ts"
import type { Question } from "../inference/Question.ts"
import { reading } from "./Reading.ts"

const keyed = <A>(values: ReadonlyArray<A>): Record<string, A> =>
  Object.fromEntries(values.map((value, i) => [String(i), value]))

const answer = (asked: SetQuestion, { type, options }: Question, probabilities: ReadonlyArray<number>): SetAnswer => {
  switch (type) {
    case "noul": {
      const { yes, confidence } = Answer.yesNo(probabilities)
      return { type, noul: yes, confidence }
    }
    case "choice": {
      const names = options.map(({ name }) => name)
      const { chosen, confidence, probabilities: shares } = Answer.choice(names, probabilities)
      const named = Object.fromEntries(names.map((name, i) => [name, shares[i] ?? 0]))
      return { type, choice: chosen, confidence, probabilities: named }
    }
    case "score": {
      const { score, confidence, probabilities: shares } = Answer.score(probabilities)
      const legend = Array.isArray(asked.criteria) ? asked.criteria : []
      return { type, score, confidence, probabilities: keyed(shares), legend: keyed<unknown>(legend) }
    }
  }
}

const isLong = ({ wording, options }: Question) =>
  [wording, ...options.flatMap(({ name, description }) => [name, description ?? ""])].some(
    (part) => !fits(part, Limits.renderedPart)
  )

/** All that is too long when it is written as text. */
const checked = (state: string, questions: ReadonlyArray<{ readonly id: string; readonly question: Question }>) => {
  const found = [
    ...(fits(state, Limits.renderedState)
      ? []
      : InvalidRequest.at(
          ["body", "state"],
          `the state has more than ${Limits.renderedState} characters when written as text`
        ).detail),
    ...questions.flatMap(({ id, question }) =>
      isLong(question)
        ? InvalidRequest.at(
            ["body", "questions", id],
            `instructions, options and descriptions may each have at most ${Limits.renderedPart} characters when written as text`
          ).detail
        : []
    )
  ]
  return found.length === 0 ? Effect.void : new InvalidRequest({ detail: found })
}

/** Question sets: several typed questions about one state, answered together. */
export class QuestionSets extends Context.Tag("svc/QuestionSets")<
  QuestionSets,
  {
    readonly answer: (
      caller: { readonly accountId: string; readonly requestId: string },
      request: SystemOneRequest
    ) => Effect.Effect<SystemOneResponse, InvalidRequest | Overloaded | Unavailable>
  }
>() {
  static readonly layerNoDeps = Layer.effect(
    QuestionSets,
    Effect.gen(function* () {
      const answers = yield* Answers
      const price = yield* Price

      return QuestionSets.of({
        answer: Effect.fn("QuestionSets.answer")(function* ({ accountId, requestId }, request) {
          const started = yield* Clock.currentTimeNanos
          const state = rendered(request.state)
          const questions = request.questions.map(([id, asked]) => ({ id, asked, question: reading(asked) }))
          yield* checked(state, questions)
          const { model, checkpoint, cached, inputTokens, probabilities } = yield* answers.ask({
            accountId,
            requestId,
            model: request.model,
            ...(request.lang === undefined ? {} : { lang: request.lang }),
            state,
            questions: questions.map(({ question }) => question),
            locations: { state: ["body", "state"], questions: questions.map(({ id }) => ["body", "questions", id]) },
            cache: request.cache ?? true
          })
          const took = Number((yield* Clock.currentTimeNanos) - started) / 1_000_000
          return {
            model,
            answers: Object.fromEntries(
              questions.map(({ id, asked, question }, i) => [id, answer(asked, question, probabilities[i] ?? [])])
            ),
            usage: { input_tokens: inputTokens, output_tokens: 0 },
            meta: {
              checkpoint,
              cached,
              latency_ms: Math.round(took * 100) / 100,
              request_id: requestId,
              decisions: questions.length,
              ...price.of(questions.length)
            }
          }
        })
      })
    })
  )
}
