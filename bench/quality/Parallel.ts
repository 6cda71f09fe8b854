import { Array as Arr, Effect, Schema } from "effect"
import type { Bundle } from "#src/models/Bundle"
import { ownRows } from "./Folder.ts"
import { accuracy } from "./Metrics.ts"
import { percent, table } from "./Report.ts"
import { StateRow } from "./Row.ts"
import { run } from "./Run.ts"
import { writtenCase } from "./Written.ts"

/** One text in many languages, and what is asked of it in each, in English; of some also by language, in the same order. */
const Row = Schema.Struct({
  asked: Schema.optional(Schema.Record({ key: Schema.String, value: StateRow.fields.questions })),
  questions: StateRow.fields.questions,
  states: Schema.Record({ key: Schema.String, value: Schema.String })
})

const ENGLISH = "English questions"
const OWN = "own questions"

/**
 * How often a model is right about the same texts in each of many languages, asked in English, and about a part of them
 * asked in English and in the language of the text.
 */
export const parallel = Effect.fn("parallel")(function* (model: Bundle, concurrency: number) {
  const rows = yield* ownRows(Row, "parallel.jsonl")
  const cases = rows.flatMap(({ asked, questions, states }) =>
    Object.entries(states).flatMap(([lang, state]) => {
      const own = asked?.[lang]
      return [
        writtenCase("parallel", own === undefined ? "all" : ENGLISH, { lang, state, questions }),
        ...(own === undefined ? [] : [writtenCase("parallel", OWN, { lang, state, questions: own })])
      ]
    })
  )
  const answered = yield* run(model, cases, concurrency)
  const languages = Object.entries(Arr.groupBy(answered, ({ lang }) => lang)).map(([language, group]) => {
    const inEnglish = group.filter(({ set }) => set !== OWN)
    const own = group.filter(({ set }) => set === OWN)
    return {
      language,
      questions: inEnglish.length,
      accuracy: accuracy(inEnglish) ?? 0,
      own: {
        questions: own.length,
        accuracy: accuracy(own),
        inEnglish: accuracy(group.filter(({ set }) => set === ENGLISH))
      }
    }
  })
  return { texts: rows.length, languages }
})

/** Tables and lines for the card. */
export const parallelReport = ({ texts, languages }: Effect.Effect.Success<ReturnType<typeof parallel>>) => {
  const english = languages.find(({ language }) => language === "en")?.accuracy ?? 0
  return [
    `The same ${texts} texts in ${languages.length} languages`,
    table(
      [
        "language",
        "questions",
        "right %",
        "points behind English",
        "asked in it",
        "right %",
        "the same in English, right %"
      ],
      languages.map((one) => [
        one.language,
        one.questions,
        percent(one.accuracy),
        percent(english - one.accuracy),
        one.own.questions,
        percent(one.own.accuracy),
        percent(one.own.inEnglish)
      ])
    )
  ].join("\n\n")
}
