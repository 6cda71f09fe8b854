import { FileSystem } from "@effect/platform"
import { Array as Arr, Effect, Schema } from "effect"
import type { Bundle } from "#src/models/Bundle"
import { accuracy } from "./Metrics.ts"
import { percent, table } from "./Report.ts"
import { StateRow } from "./Row.ts"
import { run } from "./Run.ts"
import { writtenCase } from "./Written.ts"

/** One text in many languages, and what is asked of it in each, in English. */
const Row = Schema.Struct({
  questions: StateRow.fields.questions,
  states: Schema.Record({ key: Schema.String, value: Schema.String })
})
const decode = Schema.decode(Schema.parseJson(Row))
const file = new URL("../../test/quality/parallel.jsonl", import.meta.url).pathname

/** How often a model is right about the same texts in each of many languages. */
export const parallel = Effect.fn("parallel")(function* (model: Bundle, concurrency: number) {
  const fs = yield* FileSystem.FileSystem
  const rows = yield* Effect.forEach((yield* fs.readFileString(file)).trimEnd().split("\n"), (line) => decode(line))
  const cases = rows.flatMap(({ questions, states }) =>
    Object.entries(states).map(([lang, state]) => writtenCase("parallel", "own", { lang, state, questions }))
  )
  const answered = yield* run(model, cases, concurrency)
  const languages = Object.entries(Arr.groupBy(answered, ({ lang }) => lang)).map(([language, group]) => ({
    language,
    questions: group.length,
    accuracy: accuracy(group) ?? 0
  }))
  return { texts: rows.length, languages }
})

export const parallelReport = ({ texts, languages }: Effect.Effect.Success<ReturnType<typeof parallel>>) => {
  const english = languages.find(({ language }) => language === "en")?.accuracy ?? 0
  return [
    `The same ${texts} texts in ${languages.length} languages`,
    table(
      ["language", "questions", "right %", "points behind English"],
      languages.map((one) => [one.language, one.questions, percent(one.accuracy), percent(english - one.accuracy)])
    )
  ].join("\n\n")
}
