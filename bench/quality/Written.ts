import { rendered } from "#src/answers/State"
import type { Asked, Case } from "./Case.ts"
import type { StateRow } from "./Row.ts"

type Source = StateRow["questions"][number]

const option = (name: string, description: string | null | undefined) =>
  description === null || description === undefined ? { name } : { name, description }

const render = (source: Source): Pick<Asked, "question" | "answer" | "level" | "labels"> => {
  const wording = rendered(source.q)
  switch (source.type) {
    case "noul":
      return {
        question: { type: "noul", wording, options: [option("yes", source.true), option("no", source.false)] },
        answer: source.a ? 0 : 1,
        labels: ["yes", "no"]
      }
    case "choice": {
      const named = Array.isArray(source.options)
        ? source.options.map((name) => [name, null] as const)
        : Object.entries(source.options)
      return {
        question: { type: "choice", wording, options: named.map(([name, text]) => option(name, text)) },
        answer: named.findIndex(([name]) => name === source.a)
      }
    }
    case "score":
      return {
        question: { type: "score", wording, options: source.levels.map((name) => ({ name })) },
        answer: source.a,
        level: source.a
      }
  }
}

/** A state with all of its questions. */
export const writtenCase = (family: string, set: string, { state, lang, questions }: StateRow): Case => ({
  state: rendered(state),
  asked: questions.map((source) => ({ ...render(source), family, set, task: source.type, lang }))
})
