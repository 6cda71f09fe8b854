import { isRecord } from "#schema/Field"
import { rendered } from "#src/answers/State"
import { type Asked, type Case, yesNo as yesNoQuestion } from "./Case.ts"
import { type Draw, draw } from "./Draw.ts"
import type { LabelledRow, Set, Task } from "./Row.ts"

/** Options of one choice at most; of larger label sets the right one and a draw of the others. */
const MOST_OPTIONS = 10

type Rendered = Pick<Asked, "question" | "answer" | "level" | "labels">

const plain = (name: string) => name.replaceAll("_", " ")
/** Labels of a row: none, one or several. */
export const listed = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string" ? [value] : Array.isArray(value) ? value.filter((v) => typeof v === "string") : []

/** One of the fields that hold what is right of a row. */
export const field = (row: LabelledRow, name: string): unknown =>
  name === "label2" ? row.label2 : name === "target" ? row.target : row.label

/** A wording with the row's own parts in its gaps; `label` is what a question about one label is about. */
const filled = (
  wording: string,
  set: Set,
  row: LabelledRow,
  label?: { readonly name: string; readonly text: string }
) => {
  const target = row.target === undefined ? "" : rendered(row.target)
  const about = isRecord(set.targets) ? rendered(set.targets[target] ?? target) : target
  const parts: Readonly<Record<string, string>> = {
    text_b: row.text_b ?? "",
    target,
    rules: about,
    label: plain(label?.name ?? ""),
    desc: label?.text ?? about
  }
  return wording.replace(/\{(text_b|target|rules|label|desc)\}/g, (gap, name: string) => parts[name] ?? gap)
}

/** Half of the time in the language of the text, where the set has such wordings. */
const wordingsOf = (task: Task, row: LabelledRow, by: Draw): ReadonlyArray<string> => {
  const local = task.questions_by_lang?.[row.lang]
  const target = typeof row.target === "string" ? row.target : ""
  const own = local === undefined || Array.isArray(local) ? listed(local) : isRecord(local) ? listed(local[target]) : []
  if (own.length > 0 && by.chance(0.5)) return own
  return task.questions_by_target?.[target] ?? task.questions
}

const choice = (set: Set, task: Task, row: LabelledRow, by: Draw): Rendered | undefined => {
  const [right, ...more] = listed(field(row, task.field))
  if (right === undefined || more.length > 0) return undefined
  const texts = task.labels ?? {}
  const prefix = right.includes(":") ? `${right.split(":")[0]}:` : ""
  const all = row.options ?? Object.keys(texts).filter((name) => name.startsWith(prefix))
  if (!all.includes(right) || all.length < 2) return undefined
  const wrong = by.shuffled(all.filter((name) => name !== right)).slice(0, MOST_OPTIONS - 1)
  const names = row.options === undefined ? by.shuffled([right, ...wrong]) : all
  const describe = by.chance(0.5)
  const bare = names.every((name) => name === "yes" || name === "no")
  const options = names.map((name) => {
    const text = texts[name]
    if (bare && text !== undefined) return { name: text }
    return describe && text !== undefined ? { name: plain(name), description: text } : { name: plain(name) }
  })
  const wording = filled(by.one(wordingsOf(task, row, by)) ?? "", set, row)
  return {
    question: { type: "choice", wording, options },
    answer: names.indexOf(right),
    ...(row.options === undefined ? { labels: names } : {})
  }
}

const noul = (wording: string, yes: boolean): Rendered => ({
  question: yesNoQuestion(wording),
  answer: yes ? 0 : 1,
  labels: ["yes", "no"]
})

/** Labels that a yes/no question may be about: the task's own, or those of the choice that reads the same field. */
const askedLabels = (set: Set, task: Task, row: LabelledRow, right: ReadonlyArray<string>) => {
  const choices = set.tasks.flatMap(({ type, field: of, labels = {} }) =>
    type === "choice" && of === task.field ? [labels] : []
  )
  const texts = task.labels ?? choices.find((labels) => right.every((name) => name in labels)) ?? choices[0] ?? {}
  const prefixes = right.flatMap((name) => (name.includes(":") ? [`${name.split(":")[0]}:`] : []))
  const among = (name: string) => prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix))
  return { texts, names: row.options ?? Object.keys(texts).filter(among) }
}

/** About one label a question is asked that is true half of the time. */
const yesNo = (set: Set, task: Task, row: LabelledRow, by: Draw): Rendered | undefined => {
  const right = listed(field(row, task.field))
  const at = by.below(task.questions.length)
  const wording = task.questions[at] ?? ""
  const texts = task.labels ?? {}
  const [only] = right
  if (task.yes_by_question !== undefined)
    return noul(
      filled(wording, set, row),
      right.some((label) => task.yes_by_question?.[at]?.includes(label))
    )
  if (task.yes_labels !== undefined)
    return only === undefined ? undefined : noul(filled(wording, set, row), task.yes_labels.includes(only))
  if ("yes" in texts && "no" in texts)
    return only === undefined
      ? undefined
      : noul(filled(by.one(wordingsOf(task, row, by)) ?? "", set, row), only === "yes")
  const about = askedLabels(set, task, row, right)
  const others = about.names.filter((name) => !right.includes(name))
  if (others.length === 0) return undefined
  const name = by.one(right.length > 0 && by.chance(0.5) ? right : others)
  if (name === undefined || !/\{(label|desc)\}/.test(wording)) return undefined
  return noul(filled(wording, set, row, { name, text: about.texts[name] ?? plain(name) }), right.includes(name))
}

const score = (set: Set, task: Task, row: LabelledRow, by: Draw): Rendered | undefined => {
  const [label = ""] = listed(row.label)
  const value = task.score_from_label === undefined ? row.score : task.score_from_label[label]
  const names = task.levels === undefined ? undefined : by.one(task.levels.wordings)
  if (value === undefined || task.levels === undefined || names === undefined) return undefined
  const { min, max } = task.levels
  const level = Math.min(1, Math.max(0, (value - min) / (max - min))) * (names.length - 1)
  const wording = filled(by.one(wordingsOf(task, row, by)) ?? "", set, row)
  return {
    question: { type: "score", wording, options: names.map((name) => ({ name })) },
    answer: Math.round(level),
    level
  }
}

const kinds = { choice, yes_no: yesNo, score } as const

/** A row with one question for each task of its set. */
export const labelledCase = (set: Set, row: LabelledRow, seed: string): Case => {
  const unseen = row.split === "zeroshot-dev"
  const by = draw(`${seed} ${row.set} ${row.text} ${row.text_b ?? ""}`)
  return {
    state: row.text,
    asked: set.tasks.flatMap((task) => {
      const made = kinds[task.type](set, task, row, by)
      if (made === undefined) return []
      const family = unseen ? "unseen services" : set.family.replace(/^.-/, "")
      return [{ ...made, family, set: set.id, task: `${task.type} of ${task.field}`, lang: row.lang }]
    })
  }
}
