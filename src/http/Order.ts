import { isRecord } from "#schema/Field"
import { Entries } from "#schema/Question"

const wholeNumberName = /"(?:0|[1-9]\d*)"\s*:/
const wholeNumber = /^(?:0|[1-9]\d*)$/
/** Strings of a JSON text; with its colon, one that is a name. */
const strings = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?/g
const mark = "\u0001"

const marked = (text: string): unknown =>
  JSON.parse(
    text.replace(strings, (whole, name: string, colon?: string) =>
      colon !== undefined && wholeNumber.test(name) ? `"\\u0001${name}"${colon}` : whole
    )
  )

const unmarked = (name: string) =>
  name.startsWith(mark) && wholeNumber.test(name.slice(mark.length)) ? name.slice(mark.length) : name

/** A map as a list of its entries, in the order of their names in `sent`; as it is where it has that order. */
const listed = (map: Readonly<Record<string, unknown>>, sent: Readonly<Record<string, unknown>>): unknown => {
  const names = Object.keys(sent).map(unmarked)
  const own = Object.keys(map)
  return names.length !== own.length || names.every((name, at) => name === own[at])
    ? map
    : Entries.from(names, (name) => ({ name, description: map[name] }))
}

/** A state and the questions of a set hold names of the caller's own: there, `options` and `state` are names like any other. */
export const isFree = (name: string): boolean => name === "state" || name === "questions"

const follow = (value: unknown, sent: unknown): unknown => {
  if (Array.isArray(value) && Array.isArray(sent)) return value.map((item, at) => follow(item, sent[at]))
  if (!isRecord(value) || !isRecord(sent)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const there = sent[wholeNumber.test(name) ? `${mark}${name}` : name]
      if (isFree(name)) return [name, item]
      if (name === "options" && isRecord(item) && isRecord(there)) return [name, listed(item, there)]
      return [name, follow(item, there)]
    })
  )
}

/**
 * The value of a JSON text; `options` that are a map whose order JavaScript would not keep, since it takes names that are
 * whole numbers first, are a list of names with descriptions: levels go lowest first.
 */
export const withOrder = (value: unknown, text: string): unknown =>
  text.includes('"options"') && wholeNumberName.test(text) ? follow(value, marked(text)) : value
