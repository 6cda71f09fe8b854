import { Clock, Console, Effect, Ref } from "effect"
import { Decisions } from "#src/decisions/Decisions"
import { Inference } from "#src/inference/Inference"
import type { Bundle } from "#src/models/Bundle"
import type { Answered, Asked, Case } from "./Case.ts"
import { draw } from "./Draw.ts"

/** Every so many choices are asked a second time in another order. */
const SHUFFLED = 4

const byTemplate = Effect.fnUntraced(function* (model: Bundle, state: string, asked: Asked) {
  const { decide } = yield* Decisions
  const spec = {
    model: model.manifest.name,
    cache: false,
    ...(asked.template === undefined ? {} : { template: asked.template })
  }
  const { probabilities } = yield* decide({ accountId: "quality", requestId: "quality", spec, text: state })
  return { ...asked, state, probabilities: asked.question.options.map(({ name }) => probabilities[name] ?? 0) }
})

const byQuestions = Effect.fnUntraced(function* (
  model: Bundle,
  state: string,
  asked: ReadonlyArray<Asked>,
  turn: number
) {
  const { answer } = yield* Inference
  const again = asked.map(({ question }, i) => {
    if (question.type !== "choice" || (turn + i) % SHUFFLED !== 0) return undefined
    const order = draw(question.wording + state).shuffled(question.options.map((_, place) => place))
    return { order, question: { ...question, options: order.flatMap((place) => question.options[place] ?? []) } }
  })
  const questions = [...asked, ...again.filter((q) => q !== undefined)].map(({ question }) => question)
  const { answers } = yield* answer({ model, state, questions, lane: ["quality", String(turn)] })
  const second = answers.slice(asked.length).values()
  return asked.map((one, i): Answered => {
    const { probabilities = [] } = answers[i] ?? {}
    const order = again[i]?.order
    if (order === undefined) return { ...one, state, probabilities }
    const { probabilities: other = [] } = second.next().value ?? {}
    return { ...one, state, probabilities, shuffled: probabilities.map((_, place) => other[order.indexOf(place)] ?? 0) }
  })
})

/** Asks a model everything, as the service does; says on standard error how far it is. */
export const run = Effect.fn("run")(function* (model: Bundle, cases: ReadonlyArray<Case>, concurrency: number) {
  const done = yield* Ref.make(0)
  const started = yield* Clock.currentTimeMillis
  const step = Effect.gen(function* () {
    const now = yield* Ref.updateAndGet(done, (n) => n + 1)
    if (now % Math.ceil(cases.length / 20) !== 0 && now !== cases.length) return
    const seconds = ((yield* Clock.currentTimeMillis) - started) / 1000
    const left = Math.round((seconds / now) * (cases.length - now))
    yield* Console.error(`${model.manifest.name}  ${now} of ${cases.length} texts, ${left} s left`)
  })
  const answers = yield* Effect.forEach(
    cases,
    ({ state, asked }, turn) =>
      Effect.all([
        Effect.forEach(
          asked.filter(({ template }) => template !== undefined),
          (one) => byTemplate(model, state, one)
        ),
        byQuestions(
          model,
          state,
          asked.filter(({ template }) => template === undefined),
          turn
        )
      ]).pipe(
        Effect.map((both): ReadonlyArray<Answered> => both.flat()),
        Effect.zipLeft(step)
      ),
    { concurrency }
  )
  return answers.flat()
})
