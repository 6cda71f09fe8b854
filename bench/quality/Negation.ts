import { Effect, Schema } from "effect"
import { Inference } from "#src/inference/Inference"
import type { Bundle } from "#src/models/Bundle"
import { yesNo } from "./Case.ts"
import { ownRows } from "./Folder.ts"

const Row = Schema.Struct({
  text: Schema.String,
  /** A yes/no question, and the same the other way round as a question and as a statement. */
  asked: Schema.String,
  negated: Schema.String,
  statement: Schema.String,
  answer: Schema.Literal("yes", "no")
})

/**
 * How often a question and its negation get opposite answers, asked together, and how often the plain one is right;
 * `apart` is how far a yes/no question and the choice of the same wording lie apart on average.
 */
export const negation = Effect.fn("negation")(function* (model: Bundle) {
  const { answer } = yield* Inference
  const rows = yield* ownRows(Row, "negation.jsonl")
  const found = yield* Effect.forEach(rows, (row) => {
    const plain = yesNo(row.asked)
    const questions = [plain, yesNo(row.negated), yesNo(row.statement), { ...plain, type: "choice" as const }]
    return Effect.map(answer({ model, state: row.text, questions, lane: ["negation"] }), ({ answers }) => {
      const [asked = 0, negated = 0, statement = 0, choice = 0] = answers.map(
        ({ probabilities }) => probabilities[0] ?? 0
      )
      const yes = asked >= 0.5
      return {
        right: yes === (row.answer === "yes"),
        question: yes !== negated >= 0.5,
        statement: yes !== statement >= 0.5,
        apart: Math.abs(asked - choice)
      }
    })
  })
  const share = (of: (one: (typeof found)[number]) => boolean) => found.filter(of).length / found.length
  return {
    cases: found.length,
    right: share(({ right }) => right),
    opposite_question: share(({ question }) => question),
    opposite_statement: share(({ statement }) => statement),
    apart: found.reduce((sum, { apart }) => sum + apart, 0) / found.length
  }
})
export type Negation = Effect.Effect.Success<ReturnType<typeof negation>>

/** A line for the card. */
export const negationReport = (n: Negation): string => {
  const percent = (share: number) => `${(100 * share).toFixed(0)} %`
  return `Negation, ${n.cases} questions: ${percent(n.right)} right; opposite answers to "is it not …?" ${percent(n.opposite_question)}, to "it is not …" ${percent(n.opposite_statement)}; yes/no and choice ${n.apart.toFixed(3)} apart on average.`
}
