import { isRecord } from "#schema/Field"
import type { SetQuestion } from "#schema/SetQuestion"
import { rendered } from "../answers/State.ts"
import type { Question } from "../inference/Question.ts"

const unasked = {
  choice: "Which of these fits best?",
  noul: "Is this true?",
  score: "Which level fits best?"
} as const

const option = (name: string, description: unknown) =>
  description === null || description === undefined ? { name } : { name, description: rendered(description) }

/** A question of a set as the models read it. Its id is not part of it. */
export const reading = ({ type, instructions, criteria }: SetQuestion): Question => {
  const wording = instructions === undefined ? unasked[type] : rendered(instructions)
  const described = isRecord(criteria) ? criteria : {}
  switch (type) {
    case "choice":
      return { type, wording, options: Object.entries(described).map(([name, text]) => option(name, text)) }
    case "score":
      return {
        type,
        wording,
        // A level without a description is known by its number.
        options: (Array.isArray(criteria) ? criteria : []).map((level, i) => option(rendered(level ?? i), null))
      }
    case "noul":
      return { type, wording, options: [option("yes", described.true), option("no", described.false)] }
  }
}
