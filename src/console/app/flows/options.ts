import { Schema } from "effect"
import { isOption, Options } from "#schema/Question"
import { type DraftOption, option } from "../playground/draft.ts"

/** The names of stored options: a list of them, with their descriptions or without, or a map of names to descriptions. */
export const namesOf = (options: unknown): ReadonlyArray<string> => {
  if (Array.isArray(options)) return options.map((item: unknown) => String(isOption(item) ? item.name : item))
  return typeof options === "object" && options !== null ? Object.keys(options) : []
}

/** Options as they are being written; `borne` are the names that their ways go by, by key. */
export interface Writing {
  readonly options: ReadonlyArray<DraftOption>
  readonly borne: ReadonlyMap<string, string>
}

const read = (stored: unknown): ReadonlyArray<DraftOption> => {
  if (typeof stored !== "object" || stored === null) return []
  const entries: ReadonlyArray<readonly [string, unknown]> = Array.isArray(stored)
    ? stored.map((item: unknown) => (isOption(item) ? [item.name, item.description] : [String(item), ""]))
    : Object.entries(stored)
  return entries.map(([name, description]) => option(name, typeof description === "string" ? description : ""))
}

const named = (options: ReadonlyArray<DraftOption>) => options.filter(({ name }) => name !== "")

const unique = (names: ReadonlyArray<string>) => new Set(names).size === names.length

/** Stored options, about to be edited. */
export const begun = (stored: unknown): Writing => {
  const options = read(stored)
  const alone = named(options).filter((one) => options.every(({ key, name }) => key === one.key || name !== one.name))
  return { options, borne: new Map(alone.map(({ key, name }) => [key, name])) }
}

const encoded = Schema.encodeSync(Options)

/** What is stored of options, as a request has them. With descriptions no two can have one name: undefined while they do. */
export const stored = (options: ReadonlyArray<DraftOption>): unknown =>
  options.every(({ description }) => description === "") || unique(options.map(({ name }) => name))
    ? encoded(options.map(({ name, description }) => ({ name, description: description === "" ? null : description })))
    : undefined

/** Whether each option can be told by its name; one that never had a name is not missed. */
const settled = (borne: Writing["borne"], options: ReadonlyArray<DraftOption>) =>
  stored(options) !== undefined &&
  unique(named(options).map(({ name }) => name)) &&
  options.every(({ key, name }) => name !== "" || !borne.has(key))

/**
 * Options after an edit, and the names that ways have to follow, old to new. Somebody who types passes through the
 * names of other options, so ways wait until every name stands for one option, and then follow all at once.
 */
export const edited = (
  { borne }: Writing,
  options: ReadonlyArray<DraftOption>
): { readonly now: Writing; readonly renamed: ReadonlyMap<string, string> } => {
  if (!settled(borne, options)) return { now: { options, borne }, renamed: new Map() }
  const renamed = options.flatMap(({ key, name }) => {
    const before = borne.get(key)
    return before === undefined || before === name ? [] : [[before, name] as const]
  })
  return {
    now: { options, borne: new Map(named(options).map(({ key, name }) => [key, name])) },
    renamed: new Map(renamed)
  }
}

/** Why options are not stored as they are shown, in words; undefined where they are. */
export const caveat = (options: ReadonlyArray<DraftOption>, noun: "option" | "level"): string | undefined =>
  stored(options) === undefined
    ? `Two ${noun}s have the same name. The list is stored once each has its own.`
    : undefined
