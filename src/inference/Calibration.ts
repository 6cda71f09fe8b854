import type { Temperature } from "#src/models/Manifest"
import type { QuestionType } from "./Question.ts"

/** The temperature fitted for questions of this type and number of options; 1 where none was. */
export const temperatureOf = (temperatures: ReadonlyArray<Temperature>, type: QuestionType, options: number): number =>
  temperatures.find((t) => t.type === type && t.min_options <= options && options <= t.max_options)?.temperature ?? 1

/** Softmax of the logits of one question, divided by its temperature. */
export const probabilities = (logits: ReadonlyArray<number>, temperature: number): ReadonlyArray<number> => {
  const highest = Math.max(...logits)
  const weights = logits.map((logit) => Math.exp((logit - highest) / temperature))
  const sum = weights.reduce((a, b) => a + b, 0)
  return weights.map((weight) => weight / sum)
}
