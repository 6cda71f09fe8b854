import { Context, Duration, Effect, Layer } from "effect"
import type { Overloaded, Unavailable } from "#schema/Errors"
import type { Bundle } from "#src/models/Bundle"
import { Models } from "#src/models/Models"
import { isBuiltIn } from "#src/models/Name"
import { Settings } from "#src/Settings"
import { probabilities, temperatureOf } from "./Calibration.ts"
import { type Lane, makePool, type Status } from "./Pool.ts"
import type { TooLong } from "./Protocol.ts"
import { canonical, type Question } from "./Question.ts"
import { type TrialFailed, trial } from "./Trial.ts"
import { spawn } from "./WorkerProcess.ts"

/** All questions about one state, for one model. */
export interface Ask {
  readonly model: Bundle
  readonly state: string
  readonly questions: ReadonlyArray<Question>
  /** Who asks, e.g. account then request: work waits in line fairly at each step. */
  readonly lane: Lane
}

/** What a model says to an `Ask`. */
export interface Inferred {
  /** Tokens of the state, read once whatever the number of questions. */
  readonly stateTokens: number
  /** For each question in turn. */
  readonly answers: ReadonlyArray<Answer>
}

/** What it says to one question. */
export interface Answer {
  /** For each option in turn: calibrated, not rounded, of sum 1. */
  readonly probabilities: ReadonlyArray<number>
  /** Tokens of the question and its options. */
  readonly tokens: number
}

/** Typed questions in, probabilities out. Nothing outside this folder knows how. */
export class Inference extends Context.Tag("svc/Inference")<
  Inference,
  {
    readonly answer: (ask: Ask) => Effect.Effect<Inferred, Overloaded | Unavailable | TooLong>
    /** Runs questions of every type on a model that no worker has yet, in a process of their own. */
    readonly trial: (model: Bundle) => Effect.Effect<void, TrialFailed>
    /** Questions can be answered when at least one worker is up and none lacks one of the service's own models; of other models it says nothing. */
    readonly status: Effect.Effect<Status>
  }
>() {
  /** Answers on worker processes that have loaded `models` beforehand, and others when first asked for. */
  static readonly layer = (options: {
    readonly models: ReadonlyArray<Bundle>
    readonly workers: number
    readonly queueLimit: number
    readonly deadline: Duration.DurationInput
  }) =>
    Layer.scoped(
      Inference,
      Effect.gen(function* () {
        const pool = yield* makePool({ ...options, spawn: spawn(options.models) })
        const builtIn = new Set(
          options.models.flatMap(({ directory, manifest }) => (isBuiltIn(manifest.name) ? [directory] : []))
        )
        const oneAtATime = yield* Effect.makeSemaphore(1)
        const answer = Effect.fn("Inference.answer")(function* ({ model, state, questions, lane }: Ask) {
          const { manifest } = model
          const asked = questions.map(canonical)
          const task = { model, state, questions: asked.map(({ question }) => question) }
          const outcome = yield* pool.run(lane, task, manifest)
          return {
            stateTokens: outcome.stateTokens,
            answers: asked.map(({ question, places }, i) => {
              const temperature = temperatureOf(manifest.temperatures, question)
              const sorted = probabilities(outcome.logits[i] ?? [], temperature)
              return {
                probabilities: places.map((place) => sorted[place] ?? 0),
                tokens: outcome.questionTokens[i] ?? 0
              }
            })
          }
        })
        return Inference.of({
          answer,
          trial: (model) => oneAtATime.withPermits(1)(trial(model)),
          status: Effect.map(pool.status, ({ lacking, ...others }) => ({
            ...others,
            lacking: lacking.filter(({ directory }) => builtIn.has(directory))
          }))
        })
      })
    )

  /** Answers on `WORKERS` processes with the models of `MODELS_DIR`; registered ones are loaded when first asked for. */
  static readonly layerNoDeps = Layer.unwrapEffect(
    Effect.gen(function* () {
      const { workers, queueLimit, runSeconds } = yield* Settings
      const { kept } = yield* Models
      return Inference.layer({ models: kept, workers, queueLimit, deadline: Duration.seconds(runSeconds) })
    })
  )

  /** Answers from a function: an opinion of each option, made to sum 1. No process, no model. */
  static readonly layerTest = (weigh: (state: string, question: Question, option: number) => number) =>
    Layer.succeed(
      Inference,
      Inference.of({
        trial: () => Effect.void,
        status: Effect.succeed({ up: 1, workers: 1, waiting: 0, lacking: [] }),
        answer: ({ state, questions }) =>
          Effect.sync(() => ({
            stateTokens: state.length,
            answers: questions.map((question) => {
              const weights = question.options.map((_, option) => weigh(state, question, option))
              const sum = weights.reduce((a, b) => a + b, 0)
              return { probabilities: weights.map((weight) => weight / sum), tokens: question.wording.length }
            })
          }))
      })
    )
}
