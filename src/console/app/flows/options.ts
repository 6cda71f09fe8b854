import { type DraftOption, option } from "../playground/draft.ts"

/** The names of stored options: a list of them, or a map of names to descriptions. */
export const namesOf = (options: unknown): ReadonlyArray<string> => {
  if (Array.isArray(options)) return options.map(String)
  return typeof options === "object" && options !== null ? Object.keys(options) : []
}

/** Options as they are being written; `borne` are the names that their ways go by, by key. */
export interface Writing {
  readonly options: ReadonlyArray<DraftOption>
  readonly borne: ReadonlyMap<string, string>
}

const read = (stored: unknown): ReadonlyArray<DraftOption> => {
  if (typeof stored !== "object" || stored === null || Array.isArray(stored))
    return namesOf(stored).map((name) => option(name))
  return Object.entries(stored).map(([name, description]) =>
    option(name, typeof description === "string" ? description : "")
  )
}

const named = (options: ReadonlyArray<DraftOption>) => options.filter(({ name }) => name !== "")

const unique = (names: ReadonlyArray<string>) => new Set(names).size === names.length

/** Stored options, about to be edited. */
export const begun = (stored: unknown): Writing => {
  const options = read(stored)
  const alone = named(options).filter((one) => options.every(({ key, name }) => key === one.key || name !== one.name))
  return { options, borne: new Map(alone.map(({ key, name }) => [key, name])) }
}

/** What is stored of options. Descriptions take a map, which cannot hold two of one name: undefined while there are. */
export const stored = (
  options: ReadonlyArray<DraftOption>
): ReadonlyArray<string> | Readonly<Record<string, string | null>> | undefined => {
  const names = options.map(({ name }) => name)
  if (options.every(({ description }) => description === "")) return names
  return unique(names)
    ? Object.fromEntries(options.map(({ name, description }) => [name, description === "" ? null : description]))
    : undefined
}

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

/** What cannot be seen of how options are stored, in words; undefined where they are stored as they are shown. */
export const caveat = (options: ReadonlyArray<DraftOption>, noun: "option" | "level"): string | undefined => {
  const kept = stored(options)
  if (kept === undefined) return `Two ${noun}s have the same name. The list is stored once each has its own.`
  const order = namesOf(kept)
  return options.every(({ name }, place) => name === order[place])
    ? undefined
    : `With descriptions, ${noun}s named by whole numbers are stored first, in ascending order: ${order.join(", ")}. Without descriptions, the order stays as it is here.`
}
