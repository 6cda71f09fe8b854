import { type Context, Effect, Layer } from "effect"
import { type Ask, Inference } from "#src/inference/Inference"
import { plainReading } from "./app.ts"

/**
 * A model that answers from a table: for each text the option, level, `yes` or `no` that gets most of the probability.
 * Texts that are not in the table leave every option as likely as any other.
 */
export const answering = (table: Readonly<Record<string, string>>) =>
  Inference.layerTest((state, question, option) => (question.options[option]?.name === table[state] ? 9 : 1))

type Answer = Context.Tag.Service<Inference>["answer"]

/** The model of the tests, of which `answer` says how it comes to what it would answer: later, only sometimes, or not at all. */
export const answeringWith = (answer: (ask: Ask, plain: Answer) => ReturnType<Answer>) =>
  Layer.effect(
    Inference,
    Effect.map(Inference, (plain) => Inference.of({ ...plain, answer: (ask) => answer(ask, plain.answer) }))
  ).pipe(Layer.provide(Inference.layerTest(plainReading)))

/** The model of the tests, and all that it was asked. */
export const recording = () => {
  const asked: Array<Ask> = []
  const inference = answeringWith((ask, plain) =>
    Effect.zipRight(
      Effect.sync(() => asked.push(ask)),
      plain(ask)
    )
  )
  return { asked, inference }
}
