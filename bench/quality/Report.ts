import { Array as Arr } from "effect"
import { temperatureOf } from "#src/inference/Calibration"
import type { Manifest } from "#src/models/Manifest"
import { type Answered, OWN_TASKS } from "./Case.ts"
import { type Figures, figures } from "./Figures.ts"
import { accuracy } from "./Metrics.ts"

/** A share in per cent, a dash where there is none. */
export const percent = (value: number | undefined) => (value === undefined ? "–" : (100 * value).toFixed(1))
/** A figure to three places, a dash where there is none. */
export const decimal = (value: number | undefined) => (value === undefined ? "–" : value.toFixed(3))

/** A table in Markdown. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string | number>>) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

const columns = [
  "questions",
  "right %",
  "macro-F1",
  "Brier",
  "ECE",
  "score error",
  "changed %",
  "majority %",
  "bag of words %"
]
const cells = (f: Figures) => [
  f.questions,
  percent(f.accuracy),
  decimal(f.macro_f1),
  decimal(f.brier),
  decimal(f.ece),
  decimal(f.score_error),
  percent(f.changed),
  percent(f.majority),
  percent(f.bag_of_words)
]

/** Below so many questions a set or a language is not told apart. */
export const FEWEST = 20

const where = ({ lang }: Answered) => (lang === "en" ? "English" : "other")
const sizes = ["2", "3–5", "6–12", "13–255"]
const size = ({ question: { options } }: Answered) =>
  sizes[options.length <= 2 ? 0 : options.length <= 5 ? 1 : options.length <= 12 ? 2 : 3] ?? ""

/** Languages are told by a classifier of their own, without temperatures. */
export const byModel = (answers: ReadonlyArray<Answered>) => answers.filter(({ template }) => template !== "language")

/** Tasks of our own are told apart: they were looked at while models were made, and are no part of the figures over all. */
const general = (answers: ReadonlyArray<Answered>) => answers.filter(({ family }) => family !== OWN_TASKS)

const grouped = (answers: ReadonlyArray<Answered>, key: (answer: Answered) => string) =>
  Object.entries(Arr.groupBy(answers, key))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, group]) => ({ name, group, figures: figures(group) }))

/** Groups that are large enough to be told apart. */
const told = (groups: ReturnType<typeof grouped>) => groups.filter(({ group }) => group.length >= FEWEST)

/** All temperatures of a group, the smallest number of options first. */
const temperature = ({ temperatures }: Manifest, group: ReadonlyArray<Answered>) =>
  Arr.dedupe(
    group
      .toSorted((a, b) => a.question.options.length - b.question.options.length)
      .map(({ question }) => temperatureOf(temperatures, question))
  ).join(", ")

/** What one model was measured at, as numbers. */
export const summary = (answers: ReadonlyArray<Answered>) => {
  const own = byModel(answers)
  const by = (of: ReadonlyArray<Answered>, key: (answer: Answered) => string) =>
    Object.fromEntries(grouped(of, key).map(({ name, figures }) => [name, figures]))
  return {
    all: by(general(own), where),
    families: by(own, (a) => `${a.family} ${where(a)}`),
    sets: by(own, (a) => `${a.family} ${a.set} ${a.task} ${where(a)}`),
    languages: by(general(own), ({ lang }) => lang),
    kinds: by(general(own), (a) => `${a.question.type} ${size(a)}`)
  }
}

/** What one model was measured at, as tables in Markdown. */
export const report = (manifest: Manifest, answers: ReadonlyArray<Answered>): string => {
  const own = byModel(answers)
  const families = [
    ...grouped(own, (a) => `${a.family} | ${where(a)}`),
    ...grouped(general(own), (a) => `**all** | ${where(a)}`)
  ]
  const kinds = grouped(general(own), (a) => `${a.question.type} | ${size(a)}`)
  const examples = grouped(
    answers.filter(({ kind }) => kind !== undefined),
    ({ set }) => set
  )
  const parts = grouped(
    own.filter(({ part }) => part !== undefined),
    ({ set, part, question, answer }) => `${set} | ${part} | ${question.options[answer]?.name ?? ""}`
  )
  const sets = told(grouped(own, (a) => `${a.family} | ${a.set} | ${a.question.type} | ${where(a)}`))
  const languages = told(grouped(general(own), ({ lang }) => lang))
  const translated = grouped(
    own.filter(({ family, lang }) => family === OWN_TASKS && lang !== "en"),
    ({ set, lang }) => `${set} | ${lang}`
  )
  const share = (group: ReadonlyArray<Answered>, kind: string) =>
    percent(accuracy(group.filter((a) => a.kind === kind)))
  return [
    table(
      ["family", "texts", ...columns],
      families.map(({ name, figures }) => [...name.split(" | "), ...cells(figures)])
    ),
    "Calibration",
    table(
      ["type", "options", "questions", "temperature", "right %", "mean probability %", "ECE"],
      kinds.map(({ name, group, figures: f }) => [
        ...name.split(" | "),
        f.questions,
        temperature(manifest, group),
        percent(f.accuracy),
        percent(f.sureness),
        decimal(f.ece)
      ])
    ),
    "Templates, own examples (right %)",
    table(
      ["template", "examples", "all", "clear", "borderline", "look-alike", "ECE"],
      examples.map(({ name, group, figures: f }) => [
        name,
        f.questions,
        percent(f.accuracy),
        share(group, "clear"),
        share(group, "borderline"),
        share(group, "lookalike"),
        decimal(f.ece)
      ])
    ),
    "Sets",
    table(
      ["family", "set", "type", "texts", "questions", "right %", "ECE", "score error", "majority %", "bag of words %"],
      sets.map(({ name, figures: f }) => [
        ...name.split(" | "),
        f.questions,
        percent(f.accuracy),
        decimal(f.ece),
        decimal(f.score_error),
        percent(f.majority),
        percent(f.bag_of_words)
      ])
    ),
    "Own tasks, by what a text does",
    table(
      ["task", "the text", "right answer", "questions", "right %"],
      parts.map(({ name, figures: f }) => [...name.split(" | "), f.questions, percent(f.accuracy)])
    ),
    ...(translated.length === 0
      ? []
      : [
          "Own tasks in other languages",
          table(
            ["task", "language", ...columns],
            translated.map(({ name, figures }) => [...name.split(" | "), ...cells(figures)])
          )
        ]),
    "Languages of the texts",
    table(
      ["language", "questions", "right %", "majority %", "bag of words %"],
      languages.map(({ name, figures: f }) => [
        name,
        f.questions,
        percent(f.accuracy),
        percent(f.majority),
        percent(f.bag_of_words)
      ])
    )
  ].join("\n\n")
}
