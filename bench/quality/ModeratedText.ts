import { Array as Arr } from "effect"
import { Category } from "#schema/Category"
import { sample } from "./Draw.ts"
import type { Folder } from "./Folder.ts"
import { field, listed } from "./Labelled.ts"
import type { LabelledRow, ModerationRow, Set } from "./Row.ts"

/** A text to moderate. */
export interface ModeratedText {
  readonly text: string
  readonly lang: string
  /** Whether it belongs to a category; of the categories that are absent nothing is known. */
  readonly known: ReadonlyMap<Category, boolean>
  /** How it says what it says; absent for texts of public sets. */
  readonly form?: ModerationRow["form"]
  /** What a safe text is: news, fiction, …, or an ordinary text of a public set. */
  readonly kind?: string
}

const nothing: ReadonlyMap<Category, boolean> = new Map(Category.literals.map((category) => [category, false]))

/** Sets whose rows are all safe say so of this. */
const ANYTHING = "all categories"

type Rules = NonNullable<Set["moderation"]>

const verdict = (rule: Rules[string] | undefined, row: LabelledRow): boolean | undefined => {
  if (rule === undefined || (rule.target !== undefined && rule.target !== row.target)) return undefined
  const labels = listed(field(row, rule.field))
  const among = (names: ReadonlyArray<string>) => labels.some((label) => names.includes(label))
  if (among(rule.positive)) return true
  return among(rule.negative) || among(rule.weak_negative) ? false : undefined
}

const known = (rules: Rules, row: LabelledRow) => {
  if (ANYTHING in rules) return nothing
  const found = new Map<Category, boolean>()
  for (const category of Category.literals) {
    const is = verdict(rules[category], row)
    if (is !== undefined) found.set(category, is)
  }
  return found
}

/** What the sets of a folder say of categories: at most `rows` texts of each. */
export const publicTexts = ({ sets, labelled }: Folder, rows: number, seed: string): ReadonlyArray<ModeratedText> => {
  const bySet = Arr.groupBy(
    labelled.flatMap((file) => file.rows),
    ({ set }) => set
  )
  return sets.flatMap(({ id, moderation }) => {
    if (moderation === undefined) return []
    const texts = (bySet[id] ?? []).flatMap((row) => {
      const { text, lang } = row
      const about = known(moderation, row)
      return about.size === 0 ? [] : [{ text, lang, known: about, ...(about === nothing ? { kind: "ordinary" } : {}) }]
    })
    return sample(texts, rows, `${seed} moderation ${id}`)
  })
}

/** Committed texts: of one category each, or of none. */
export const ownTexts = (rows: ReadonlyArray<ModerationRow>): ReadonlyArray<ModeratedText> =>
  rows.map(({ category, ...row }) => ({ ...row, known: category === null ? nothing : new Map([[category, true]]) }))
