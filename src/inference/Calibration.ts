import type { Temperature } from "#src/models/Manifest"
import type { Question } from "./Question.ts"

type Asked = Pick<Question, "type" | "options">

/** A choice between yes and no is a yes/no question: a model reads the same, so both must get the same answer. */
const isYesNo = ({ type, options }: Asked) =>
  type === "choice" && options.length === 2 && ["no", "yes"].every((word) => options.some(({ name }) => name === word))

/** The temperature fitted for questions of this type and number of options; 1 where none was. */
export const temperatureOf = (temperatures: ReadonlyArray<Temperature>, question: Asked): number => {
  const { length } = question.options
  const type = isYesNo(question) ? "noul" : question.type
  return (
    temperatures.find((t) => t.type === type && t.min_options <= length && length <= t.max_options)?.temperature ?? 1
  )
}

/** Softmax of the logits of one question, divided by its temperature. */
export const probabilities = (logits: ReadonlyArray<number>, temperature: number): ReadonlyArray<number> => {
  const highest = Math.max(...logits)
  const weights = logits.map((logit) => Math.exp((logit - highest) / temperature))
  const sum = weights.reduce((a, b) => a + b, 0)
  return weights.map((weight) => weight / sum)
}
