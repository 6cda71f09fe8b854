import { type Case, OWN_TASKS } from "./Case.ts"
import type { OwnTask } from "./Row.ts"

/** The texts of a committed task, each with the task's question and all of its options. */
export const ownTaskCases = (name: string, { type, question, options, rows }: OwnTask): ReadonlyArray<Case> => {
  const labels = type === "noul" ? ["yes", "no"] : (options ?? [])
  return rows.flatMap(({ lang, text, answer, about, kind }) => {
    const place = labels.indexOf(answer)
    if (place < 0) return []
    const wording = question.replace("{about}", () => about ?? "")
    return [
      {
        state: text,
        asked: [
          {
            family: OWN_TASKS,
            set: name,
            task: name,
            lang,
            question: { type, wording, options: labels.map((label) => ({ name: label })) },
            answer: place,
            labels,
            ...(kind === undefined ? {} : { part: kind })
          }
        ]
      }
    ]
  })
}
