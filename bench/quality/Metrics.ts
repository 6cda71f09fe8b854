import { Array as Arr } from "effect"
import { type Answered, most } from "./Case.ts"

const mean = (values: ReadonlyArray<number>): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length

const right = ({ probabilities, answer }: Answered) => most(probabilities) === answer

/** Questions of one task of one set. */
export const byTask = (answers: ReadonlyArray<Answered>) =>
  Object.values(Arr.groupBy(answers, ({ family, set, task }) => `${family}/${set}/${task}`))

/** Share of answers whose most probable option is the right one. */
export const accuracy = (answers: ReadonlyArray<Answered>) => mean(answers.map((a) => (right(a) ? 1 : 0)))

/** Mean F1 over the labels that occur, as answer or as right answer. */
const f1 = (answers: ReadonlyArray<Answered>) => {
  const pairs = answers.map(({ labels = [], answer, probabilities }) => [labels[answer], labels[most(probabilities)]])
  const names = new Set(pairs.flat())
  return mean(
    [...names].map((name) => {
      const hits = pairs.filter(([gold, given]) => gold === name && given === name).length
      const all = pairs.flat().filter((label) => label === name).length
      return (2 * hits) / all
    })
  )
}

/** Mean of the tasks' macro-F1; tasks whose questions have options of their own have none. */
export const macroF1 = (answers: ReadonlyArray<Answered>) =>
  mean(byTask(answers.filter(({ labels }) => labels !== undefined)).flatMap((task) => f1(task) ?? []))

/** Mean squared distance of all probabilities to the right answer: 0 at best, 2 at worst. */
export const brier = (answers: ReadonlyArray<Answered>) =>
  mean(
    answers.map(({ probabilities, answer }) =>
      probabilities.reduce((sum, p, place) => sum + (p - (place === answer ? 1 : 0)) ** 2, 0)
    )
  )

/** Mean probability of the most probable option. */
export const sureness = (answers: ReadonlyArray<Answered>) =>
  mean(answers.map(({ probabilities }) => Math.max(...probabilities)))

/** Distance of that probability to the share of right answers, over ten bins weighed by their answers. */
export const calibrationError = (answers: ReadonlyArray<Answered>) => {
  const bins = Arr.groupBy(answers, ({ probabilities }) =>
    String(Math.min(9, Math.floor(Math.max(...probabilities) * 10)))
  )
  return mean(
    Object.values(bins).flatMap((bin) => {
      const gap = Math.abs((sureness(bin) ?? 0) - (accuracy(bin) ?? 0))
      return bin.map(() => gap)
    })
  )
}

/** Area under precision and recall: mean precision at each positive, from the highest score down. */
export const averagePrecision = (
  scored: ReadonlyArray<{ readonly score: number; readonly positive: boolean }>
): number | undefined => {
  const places = scored
    .toSorted((a, b) => b.score - a.score)
    .flatMap(({ positive }, place) => (positive ? [place + 1] : []))
  return mean(places.map((place, found) => (found + 1) / place))
}

/** Mean distance of a score to where the right answer lies, in levels. */
export const scoreError = (answers: ReadonlyArray<Answered>) =>
  mean(
    answers.flatMap(({ probabilities, level }) =>
      level === undefined ? [] : [Math.abs(probabilities.reduce((sum, p, place) => sum + p * place, 0) - level)]
    )
  )

/** Share of choices, of those asked twice, that change when their options are shuffled. */
export const changed = (answers: ReadonlyArray<Answered>) =>
  mean(
    answers.flatMap(({ probabilities, shuffled }) =>
      shuffled === undefined ? [] : [most(shuffled) === most(probabilities) ? 0 : 1]
    )
  )
