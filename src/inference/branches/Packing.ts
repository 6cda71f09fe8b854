import type { Branches } from "#src/models/Manifest"
import { optionText, type Question } from "../Question.ts"
import { type Ids, parts } from "../Tokens.ts"

/** A name that rows of the same ids share. */
export const keyOf = (row: Ids): string => row.join(" ")

/** A question in tokens. */
export interface Tokenized {
  readonly type: Question["type"]
  readonly wording: Ids
  readonly options: ReadonlyArray<Ids>
}

/** Tokens of a question and its options without special ones; each begins with `last`. */
export const tokenize = (question: Question, encode: (text: string) => Ids, last: number): Tokenized => ({
  type: question.type,
  wording: [last, ...encode(question.wording)],
  options: question.options.map((option) => [last, ...encode(optionText(option))])
})

/** How many tokens a question adds to a run. */
export const tokensOf = (question: Tokenized): number =>
  question.options.reduce((sum, option) => sum + option.length, question.wording.length)

/** Cuts a text into windows of nearly equal length, each between `first` and `last`. */
export const windows = (text: Ids, { first, last }: Branches["tokens"], window: number): ReadonlyArray<Ids> =>
  parts(text, window - 2).map((part) => [first, ...part, last])

/** Place of level i of k in -1..1; 0 for options without an order. */
export const places = ({ type, options }: Tokenized): ReadonlyArray<number> =>
  options.map((_, i) => (type === "score" && options.length > 1 ? (2 * i) / (options.length - 1) - 1 : 0))

const widths = (questions: ReadonlyArray<Tokenized>) => ({
  wording: Math.max(...questions.map((q) => q.wording.length)),
  option: Math.max(...questions.flatMap((q) => q.options.map((o) => o.length)))
})

/** Attention weights of questions, each padded to the longest: what their time grows with, and memory where all are worked out at once. */
export const cells = (questions: ReadonlyArray<Tokenized>, textTokens: number): number => {
  const { wording, option } = widths(questions)
  const each = wording * (textTokens + wording)
  return questions.reduce((sum, q) => sum + each + q.options.length * option * (textTokens + wording + option), 0)
}

/** Tokens that questions bring to one run, in which each is padded to the longest: what its memory grows with. */
export const padded = (questions: ReadonlyArray<Tokenized>): number => {
  const { wording, option } = widths(questions)
  return questions.reduce((sum, q) => sum + wording + q.options.length * option, 0)
}

/** Options in one run, unless a single question has more: what comparing them with each other takes grows with their square. */
const MOST_OPTIONS = 1_024

/**
 * Splits questions into runs of at most `budget` padded tokens, keeping their order within a run.
 * Questions of like length go together; one too big for the budget runs alone.
 */
export const runs = (questions: ReadonlyArray<Tokenized>, budget: number): ReadonlyArray<ReadonlyArray<number>> => {
  const all = questions.map((_, i) => i)
  const fits = (indices: ReadonlyArray<number>) => {
    const part = indices.flatMap((i) => questions[i] ?? [])
    return padded(part) <= budget && part.reduce((sum, q) => sum + q.options.length, 0) <= MOST_OPTIONS
  }
  if (all.length <= 1 || fits(all)) return all.length === 0 ? [] : [all]
  const size = (i: number) => padded(questions.slice(i, i + 1))
  const parts: Array<Array<number>> = []
  for (const index of all.toSorted((a, b) => size(a) - size(b))) {
    const part = parts.at(-1)
    if (part !== undefined && fits([...part, index])) part.push(index)
    else parts.push([index])
  }
  return parts
}
