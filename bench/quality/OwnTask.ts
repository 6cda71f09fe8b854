import { type Case, OWN_TASKS } from "./Case.ts"
import type { OwnTask } from "./Row.ts"

/** The texts of a committed task, each with the task's question and all of its options. */
export const ownTaskCases = (name: string, { type, question, options, rows }: OwnTask): ReadonlyArray<Case> => {
  const labels = type === "noul" ? ["yes", "no"] : (options ?? [])
  return rows.map(({ lang, text, answer, about, kind }) => ({
    state: text,
    asked: [
      {
        family: OWN_TASKS,
        set: name,
        task: name,
        lang,
        question: {
          type,
          wording: question.replace("{about}", () => about ?? ""),
          options: labels.map((label) => ({ name: label }))
        },
        answer: labels.indexOf(answer),
        labels,
        ...(kind === undefined ? {} : { part: kind })
      }
    ]
  }))
}
