import { FileSystem, Path } from "@effect/platform"
import { Array as Arr, DateTime, Effect, ParseResult, Schema } from "effect"
import { Figures } from "#schema/Figures"
import type { Bundle } from "#src/models/Bundle"
import type { Answered } from "./Case.ts"
import { figures } from "./Figures.ts"
import { byModel, FEWEST } from "./Report.ts"

const rounded = (value: number) => Math.round(value * 1e4) / 1e4

const measured = (answers: ReadonlyArray<Answered>) => {
  const { questions, accuracy = 0, ece = 0, majority, bag_of_words } = figures(answers)
  return {
    questions,
    accuracy: rounded(accuracy),
    ece: rounded(ece),
    ...(majority === undefined ? {} : { majority: rounded(majority) }),
    ...(bag_of_words === undefined ? {} : { bag_of_words: rounded(bag_of_words) })
  }
}

const ordered = (answers: ReadonlyArray<Answered>, key: (answer: Answered) => string) =>
  Object.entries(Arr.groupBy(answers, key))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => group)

const families = (answers: ReadonlyArray<Answered>): Figures["families"] =>
  ordered(answers, ({ family, lang, question }) =>
    JSON.stringify([family, lang === "en" ? "en" : "other", question.type])
  ).map((group) => {
    const { family, lang, question } = group[0]
    const { score_error } = figures(group)
    return {
      family,
      language: lang === "en" ? ("en" as const) : ("other" as const),
      type: question.type,
      ...measured(group),
      ...(score_error === undefined ? {} : { score_error: rounded(score_error) })
    }
  })

/** What a measurement says of a model, as its manifest holds it; languages are told by a classifier of their own and left out. */
export const cardFigures = (answers: ReadonlyArray<Answered>, day: string): Figures => {
  const own = byModel(answers)
  return {
    measured: day,
    families: [...families(own.map((one) => ({ ...one, family: "all" }))), ...families(own)],
    languages: ordered(own, ({ lang }) => lang)
      .filter((group) => group.length >= FEWEST)
      .map((group) => ({ language: group[0].lang, ...measured(group) }))
  }
}

/** The card with its section `## Measured` replaced, or with one at its end. */
export const withSection = (card: string, section: string): string => {
  const own = `## Measured\n\n${section.trim()}\n`
  const [before = "", ...after] = card.split(/^## Measured\n/m)
  const rest = after
    .join("")
    .split(/^(?=## )/m)
    .slice(1)
    .join("")
  return rest === "" ? `${before.trimEnd()}\n\n${own}` : `${before.trimEnd()}\n\n${own}\n${rest}`
}

const json = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }), { space: 2 })

/** Writes one measurement into a model's folder: figures into manifest.json, tables into the card, README.md. */
export const writeCard = Effect.fn("writeCard")(function* (
  { directory }: Bundle,
  answers: ReadonlyArray<Answered>,
  tables: string
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const day = DateTime.formatIsoDateUtc(yield* DateTime.now)
  const manifest = path.join(directory, "manifest.json")
  const card = path.join(directory, "README.md")
  const found = yield* Effect.flatMap(fs.readFileString(manifest), Schema.decode(json))
  const figures = yield* ParseResult.encode(Figures)(cardFigures(answers, day))
  yield* fs.writeFileString(manifest, `${yield* Schema.encode(json)({ ...found, figures })}\n`)
  const text = yield* Effect.orElseSucceed(fs.readFileString(card), () => `# ${path.basename(directory)}\n`)
  yield* fs.writeFileString(card, withSection(text, tables))
})
