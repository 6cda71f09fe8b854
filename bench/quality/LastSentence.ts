import { Effect, Schema } from "effect"
import { Inference } from "#src/inference/Inference"
import type { Question } from "#src/inference/Question"
import type { Bundle } from "#src/models/Bundle"
import { yesNo } from "./Case.ts"
import { ownRows } from "./Folder.ts"

/** A sentence, and a question whose answer is yes with it and no without it. */
const Row = Schema.Struct({ fact: Schema.String, asked: Schema.String })

const filler = [
  "The weather was mild and the trains were on time.",
  "Along the canal they have planted new limes, and the benches are painted green.",
  "The library opens at nine and closes at six, except on the second Thursday of the month."
]

/** 30,000 characters about nothing, or a short text of the same kind. */
const about = (characters: number) => {
  const round = `${filler.join(" ")} `
  return round.repeat(Math.ceil(characters / round.length)).slice(0, characters)
}

/** How often a fact at the end of a long and of a short text turns the answer from no to yes, and how far it moves it. */
export const lastSentence = Effect.fn("lastSentence")(function* (model: Bundle) {
  const { answer } = yield* Inference
  const rows = yield* ownRows(Row, "last-sentence.jsonl")
  const questions = rows.map(({ asked }) => yesNo(asked))
  const yes = (state: string, asked: ReadonlyArray<Question>) =>
    Effect.map(answer({ model, state, questions: asked, lane: ["last"] }), ({ answers }) =>
      answers.map(({ probabilities }) => probabilities[0] ?? 0)
    )
  const measured = yield* Effect.forEach([220, 29_900], (characters) =>
    Effect.gen(function* () {
      const without = yield* yes(about(characters), questions)
      const moved = yield* Effect.forEach(rows, ({ fact, asked }, i) =>
        Effect.map(yes(`${about(characters)}. ${fact}`, [yesNo(asked)]), ([among = 0]) => ({
          turned: (without[i] ?? 0) < 0.5 && among >= 0.5,
          by: among - (without[i] ?? 0)
        }))
      )
      return {
        turned: moved.filter(({ turned }) => turned).length / moved.length,
        moved: moved.reduce((sum, { by }) => sum + by, 0) / moved.length
      }
    })
  )
  const [short, long] = measured
  return { facts: rows.length, short, long }
})

/** A line for the card. */
export const lastSentenceReport = ({ facts, short, long }: Effect.Effect.Success<ReturnType<typeof lastSentence>>) => {
  const said = (found: typeof short) =>
    `${(100 * (found?.turned ?? 0)).toFixed(0)} % turn to yes, P(yes) moves by ${(found?.moved ?? 0).toFixed(3)}`
  return `A fact in the last sentence, ${facts} facts: of 220 characters ${said(short)}; of 30,000 characters ${said(long)}.`
}
