import { isRecord } from "./Field.ts"
import { rewritten } from "./JsonText.ts"
import { Limits } from "./Limits.ts"
import { Entries } from "./Question.ts"

const wholeNumberName = /"(?:0|[1-9]\d*)"\s*:/
const wholeNumber = /^(?:0|[1-9]\d*)$/
const mark = "\u0001"

const isName = (text: string, end: number): boolean => {
  let at = end
  while (/\s/.test(text.charAt(at))) at++
  return text.charAt(at) === ":"
}

/** The value with a mark before every name that is a whole number, so that it keeps its place. */
const marked = (text: string): unknown =>
  JSON.parse(
    rewritten(text, {
      strings: (_, start, end) => {
        const first = text.charCodeAt(start + 1)
        if (first < 0x30 || first > 0x39) return undefined
        const name = text.slice(start + 1, end - 1)
        return wholeNumber.test(name) && isName(text, end) ? `"\\u0001${name}"` : undefined
      }
    })
  )

const unmarked = (name: string) =>
  name.startsWith(mark) && wholeNumber.test(name.slice(mark.length)) ? name.slice(mark.length) : name

/** A map as a list of its entries, in the order of their names in `sent`; as it is where it has that order. */
const listed = (map: Readonly<Record<string, unknown>>, sent: Readonly<Record<string, unknown>>): unknown => {
  const own = Object.keys(map)
  if (own.length > Limits.options.most) return map
  const names = Object.keys(sent).map(unmarked)
  return names.some((name) => !Object.hasOwn(map, name)) || names.every((name, at) => name === own[at])
    ? map
    : Entries.from(names, (name) => ({ name, description: map[name] }))
}

/** A state and the questions of a set hold names of the caller's own: there, `options` is a name like any other. */
const isFree = (name: string): boolean => name === "state" || name === "questions"

const place = (value: object, sent: unknown): void => {
  if ("options" in value && isRecord(value.options) && isRecord(sent) && isRecord(sent.options))
    value.options = listed(value.options, sent.options)
}

const follow = (value: unknown, sent: unknown): void => {
  if (Array.isArray(value)) {
    if (Array.isArray(sent)) for (const [at, item] of value.entries()) follow(item, sent[at])
    return
  }
  if (typeof value !== "object" || value === null || !isRecord(sent)) return
  place(value, sent)
  for (const [name, item] of Object.entries(value))
    if (!isFree(name) && name !== "options") follow(item, sent[wholeNumber.test(name) ? `${mark}${name}` : name])
}

/** Flows, the only bodies with options further down, are shorter, however they are written; of a longer body all values would have to be gone through. */
const DEEP = 4 * 1024 * 1024

/**
 * The value of a JSON text, just read and nobody else's; `options` that are a map whose order JavaScript would not keep, since it takes
 * names that are whole numbers first, become a list of names with descriptions: levels go lowest first.
 */
export const withOrder = (value: unknown, text: string): unknown => {
  if (typeof value !== "object" || value === null || !text.includes('"options"') || !wholeNumberName.test(text))
    return value
  if (text.length <= DEEP) follow(value, marked(text))
  else if ("options" in value) place(value, marked(text))
  return value
}
