import type { TemplateName } from "#schema/Template"
import type { Question } from "#src/inference/Question"

/** The family of the committed tasks. */
export const OWN_TASKS = "own tasks"

/** A question with its right answer, and where it comes from. */
export interface Asked {
  readonly family: string
  readonly set: string
  /** What of the set is asked: questions of one task are scored together. */
  readonly task: string
  /** ISO 639-1 code of the text. */
  readonly lang: string
  /** How hard an example was meant to be: clear, borderline, lookalike. */
  readonly kind?: string
  /** What the text of a task of our own does, where that is told. */
  readonly part?: string
  readonly question: Question
  /** Place of the right option. */
  readonly answer: number
  /** Where the right answer of a score lies, also between two levels. */
  readonly level?: number
  /** Names of the options as the set knows them; absent where each question has options of its own. */
  readonly labels?: ReadonlyArray<string>
  /** Asked by the template's name instead, as callers do. */
  readonly template?: TemplateName
}

/** A yes/no question; yes is its first option. */
export const yesNo = (wording: string): Question => ({
  type: "noul",
  wording,
  options: [{ name: "yes" }, { name: "no" }]
})

/** A text with what is asked about it, in one run. */
export interface Case {
  readonly state: string
  readonly asked: ReadonlyArray<Asked>
}

/** A question with the model's answer. */
export interface Answered extends Asked {
  readonly state: string
  /** For each option in turn. */
  readonly probabilities: ReadonlyArray<number>
  /** The same question with its options in another order, put back in place. */
  readonly shuffled?: ReadonlyArray<number>
}

/** The place of the most probable option. */
export const most = (probabilities: ReadonlyArray<number>): number =>
  probabilities.reduce((best, p, place) => (p > (probabilities[best] ?? 0) ? place : best), 0)
