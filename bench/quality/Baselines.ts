import { optionText } from "#src/inference/Question"
import { type Answered, most } from "./Case.ts"
import { byTask } from "./Metrics.ts"

const mean = (values: ReadonlyArray<number>) =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length

const counted = (answers: ReadonlyArray<Answered>) => {
  const counts = new Map<string, number>()
  for (const { labels, answer } of answers) {
    const name = labels?.[answer]
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

/** Chance to be right with the options counted most often. */
const guessed = ({ labels, answer, question }: Answered, counts: ReadonlyMap<string, number>) => {
  const each = question.options.map((_, place) => counts.get(labels?.[place] ?? "") ?? 0)
  const best = Math.max(...each)
  return each[answer] === best ? 1 / each.filter((count) => count === best).length : 0
}

/** Accuracy of the label on offer that is right most often in the other half of its task; chance where labels do not recur. */
export const majority = (answers: ReadonlyArray<Answered>) =>
  mean(
    byTask(answers).flatMap((task) => {
      const halves = [0, 1].map((half) => counted(task.filter((_, i) => i % 2 !== half)))
      return task.map((one, i) => guessed(one, halves[i % 2] ?? new Map()))
    })
  )

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" })

const words = (text: string) => {
  const counts = new Map<string, number>()
  for (const { segment, isWordLike } of segmenter.segment(text.toLowerCase()))
    if (isWordLike === true) counts.set(segment, (counts.get(segment) ?? 0) + 1)
  return counts
}

/** Cosine between the word counts of two texts. */
export const similarity = (one: string, other: string): number => {
  const [a, b] = [words(one), words(other)]
  const length = (bag: ReadonlyMap<string, number>) => Math.hypot(...bag.values())
  let shared = 0
  for (const [word, count] of a) shared += count * (b.get(word) ?? 0)
  return shared === 0 ? 0 : shared / (length(a) * length(b))
}

/**
 * Accuracy of the option whose words are most like the text's. Of yes and no, yes where the text is more like the
 * wording than the middle text of the task.
 */
export const bagOfWords = (answers: ReadonlyArray<Answered>) =>
  mean(
    byTask(answers).flatMap((task) => {
      const like = task.map(({ state, question }) => similarity(state, question.wording))
      const middle = like.toSorted((a, b) => a - b)[like.length >> 1] ?? 0
      return task.map(({ state, question, answer }, i) => {
        const given =
          question.type === "noul"
            ? (like[i] ?? 0) > middle
              ? 0
              : 1
            : most(question.options.map((option) => similarity(state, optionText(option))))
        return given === answer ? 1 : 0
      })
    })
  )
