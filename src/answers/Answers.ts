import { Context, Effect, Layer } from "effect"
import { InvalidRequest, type Overloaded, type Unavailable } from "#schema/Errors"
import { Inference } from "../inference/Inference.ts"
import { canonical, optionText, type Question } from "../inference/Question.ts"
import type { About } from "../models/About.ts"
import type { Bundle } from "../models/Bundle.ts"
import { Models } from "../models/Models.ts"
import { AnswerCache, answerKey, type KeptAnswer } from "./AnswerCache.ts"

/** The way to a part of a body, as faults name it. */
export type Location = ReadonlyArray<string | number>

/** Questions about one state, for one account. */
export interface Asking {
  readonly accountId: string
  readonly requestId: string
  /** A model's name, `svc-auto`, or an alias that ends in `-latest`. */
  readonly model: string
  readonly lang?: string
  readonly state: string
  readonly questions: ReadonlyArray<Question>
  /** Where in the body the state and each question are, for what is wrong with them. */
  readonly locations: { readonly state: Location; readonly questions: ReadonlyArray<Location> }
  readonly cache: boolean
}

/** What an `Asking` comes to. */
export interface Answered {
  /** The model that answered, never `svc-auto`. */
  readonly model: string
  readonly checkpoint: string
  /** Tokens of the state and of the questions. */
  readonly inputTokens: number
  /** Whether every answer came out of the cache. */
  readonly cached: boolean
  /** For each question in turn, the probability of each option in turn: calibrated, unrounded, of sum 1. */
  readonly probabilities: ReadonlyArray<ReadonlyArray<number>>
}

/** Where all of the service's answers come from: picks the model, looks into the cache, asks the rest in one run. */
export class Answers extends Context.Tag("svc/Answers")<
  Answers,
  {
    /** The model that an account names. An unknown one, or another account's, is invalid at `body.model`. */
    readonly model: (
      accountId: string,
      name: string,
      about: About
    ) => Effect.Effect<Bundle, InvalidRequest | Unavailable>
    /** Answers all questions about one state; refuses a model like `model`. */
    readonly ask: (asking: Asking) => Effect.Effect<Answered, InvalidRequest | Overloaded | Unavailable>
  }
>() {
  static readonly layerNoDeps = Layer.effect(
    Answers,
    Effect.gen(function* () {
      const models = yield* Models
      const inference = yield* Inference
      const cache = yield* AnswerCache

      const model = (accountId: string, name: string, about: About) =>
        Effect.catchTag(models.resolve(accountId, name, about), "ModelNotFound", ({ message }) =>
          InvalidRequest.at(["body", "model"], message)
        )

      const ask = Effect.fn("Answers.ask")(function* (asking: Asking) {
        const { accountId, requestId, state, questions } = asking
        const bundle = yield* model(accountId, asking.model, {
          state,
          questions: questions.map(({ wording, options }) => ({ wording, options: options.map(optionText) })),
          ...(asking.lang === undefined ? {} : { lang: asking.lang })
        })
        const { checksum } = bundle
        const { name, checkpoint } = bundle.manifest

        // Asked in an order of its own, so that an answer, fresh or kept, never depends on the order of the options.
        const asked = questions.map(canonical)
        const keys = asked.map(({ question }) => answerKey({ accountId, weights: checksum, state, question }))
        const kept = asking.cache ? yield* Effect.forEach(keys, cache.get) : keys.map(() => undefined)
        const missing = asked.flatMap(({ question }, i) => (kept[i] === undefined ? [{ question, i }] : []))
        const fresh =
          missing.length === 0
            ? undefined
            : yield* inference
                .answer({
                  model: bundle,
                  state,
                  questions: missing.map(({ question }) => question),
                  lane: [accountId, requestId]
                })
                .pipe(
                  Effect.catchTag("TooLong", ({ question, message }) =>
                    InvalidRequest.at(
                      (question === undefined ? undefined : asking.locations.questions[missing[question]?.i ?? 0]) ??
                        asking.locations.state,
                      message
                    )
                  )
                )
        const stateTokens = fresh?.stateTokens ?? kept[0]?.stateTokens ?? 0
        const next = (fresh?.answers ?? []).values()
        const all = kept.map((answer): KeptAnswer => {
          const { probabilities = [], tokens = 0 } = answer ?? next.next().value ?? {}
          return { probabilities, tokens, stateTokens }
        })
        if (asking.cache && fresh !== undefined)
          yield* Effect.forEach(all, (answer, i) =>
            // What is kept already keeps its age.
            kept[i] === undefined ? cache.set(keys[i] ?? "", answer) : Effect.void
          )
        return {
          model: name,
          checkpoint,
          cached: fresh === undefined,
          inputTokens: all.reduce((sum, { tokens }) => sum + tokens, stateTokens),
          probabilities: asked.map(({ places }, i) => places.map((place) => all[i]?.probabilities[place] ?? 0))
        }
      })

      return Answers.of({ model, ask })
    })
  )
}
