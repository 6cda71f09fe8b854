import { isExact, isRecord } from "#schema/Field"
import { rewritten } from "#schema/JsonText"
import { Limits } from "#schema/Limits"
import { randomId } from "../database/id.ts"

declare global {
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown
    ): unknown
    rawJSON(text: string): object
  }
}

/** Begins what stands for a number; nobody outside knows it, so that no string of theirs is taken for one. */
const mark = randomId()

/** Digits that every number of so many characters keeps. */
const KEPT = 15

/** The text with a marked string for every number that ours would round; the same text where there is none. */
const marked = (text: string): string =>
  rewritten(text, {
    numbers: (_, start, end) => {
      const written = text.slice(start, end)
      return (end - start > KEPT || /[eE]/.test(written)) && !isExact(Number(written))
        ? `"${mark}${written}"`
        : undefined
    }
  })

const restored = (value: unknown): unknown => {
  if (typeof value === "string") return value.startsWith(mark) ? JSON.rawJSON(value.slice(mark.length)) : value
  if (Array.isArray(value)) return value.map(restored)
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, restored(item)]))
    : value
}

/** What is read of an object or a list as it was written. A number in its place is for its schema to refuse. */
const inside = (value: unknown, exact: unknown): unknown =>
  typeof value === "object" && value !== null ? restored(exact) : value

const members = (
  value: unknown,
  exact: unknown,
  most: number,
  of: (value: unknown, exact: unknown) => unknown
): unknown => {
  if (!isRecord(value) || !isRecord(exact)) return value
  const entries = Object.entries(value)
  return entries.length > most
    ? value
    : Object.fromEntries(entries.map(([name, item]) => [name, of(item, exact[name])]))
}

const fields = (
  value: Readonly<Record<string, unknown>>,
  exact: unknown,
  of: Readonly<Record<string, (value: unknown, exact: unknown) => unknown>>
) =>
  Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      Object.hasOwn(of, name) && isRecord(exact) ? (of[name]?.(item, exact[name]) ?? item) : item
    ])
  )

const question = (value: unknown, exact: unknown): unknown =>
  isRecord(value)
    ? fields(value, exact, {
        instructions: (_, written) => restored(written),
        criteria: (criteria, written) =>
          Array.isArray(criteria) ? restored(written) : members(criteria, written, Limits.criteria.most, inside)
      })
    : value

/** Of a set or a batch of them; what is larger than any that is answered is left to be refused. */
const set = (value: unknown, exact: unknown): unknown =>
  isRecord(value)
    ? fields(value, exact, {
        state: inside,
        questions: (questions, written) => members(questions, written, Limits.questionsPerSet, question),
        requests: (all, written) =>
          Array.isArray(all) && Array.isArray(written) && all.length <= Limits.batch
            ? all.map((one, at) => set(one, written[at]))
            : all
      })
    : value

/**
 * The value of a JSON text. Two identities that differ in their last digit are two: in the state of a question set, in its instructions and
 * in its criteria, a number that ours would round stays as it was written.
 */
export const parsed = (text: string): unknown => {
  const value: unknown = JSON.parse(text)
  if (!isRecord(value) || !["state", "questions", "requests"].some((name) => Object.hasOwn(value, name))) return value
  const written = marked(text)
  return written === text ? value : set(value, JSON.parse(written))
}
