import { ParseResult, Schema } from "effect"
import { fits, isExact, isRecord, issue, issueAt, issues, ownName, tooLong } from "./Field.ts"
import { Limits } from "./Limits.ts"

/** How a question is answered: one of several options, yes or no, or a level on an ordered scale. */
export const QuestionType = Schema.Literal("choice", "yes_no", "score")
export type QuestionType = typeof QuestionType.Type

/** An answer that may be chosen, with an optional line on what it means. */
export interface Option {
  readonly name: string
  readonly description: string | null
}

const Option: Schema.Schema<Option> = Schema.Struct({ name: Schema.String, description: Schema.NullOr(Schema.String) })

const nameOf = (item: unknown): string | undefined =>
  typeof item === "string" ? item : typeof item === "number" && Number.isFinite(item) ? String(item) : undefined

/** Whether an item of a list of options is a name with its description. */
export const isOption = (item: unknown): item is Option =>
  isRecord(item) && typeof item.name === "string" && (item.description === null || typeof item.description === "string")

/** The entries of a map whose order an object would not keep; as JSON, a list of names with descriptions. */
export class Entries extends Array<{ readonly name: string; readonly description: unknown }> {}

/** Names, or what was sent in their place, with what was sent as their descriptions. */
const entriesOf = (input: unknown): ReadonlyArray<readonly [unknown, unknown]> | undefined => {
  if (input instanceof Entries) return Array.from(input, ({ name, description }) => [name, description])
  if (Array.isArray(input))
    return input.map((item: unknown) => (isOption(item) ? [item.name, item.description] : [item, null]))
  return isRecord(input) ? Object.entries(input) : undefined
}

/** Whether an object keeps the order of the names: it takes those that are whole numbers first. */
const keepsOrder = (options: ReadonlyArray<Option>) => {
  const sent = Object.keys(Object.fromEntries(options.map(({ name }) => [name, null])))
  return options.every(({ name }, at) => name === sent[at])
}

const listOf = (items: Readonly<Record<string, unknown>>) => ({
  type: "array",
  items,
  minItems: Limits.options.least,
  maxItems: Limits.options.most,
  uniqueItems: true
})

/** The options of a decision: a list of names, numbers or names with descriptions, or a map of names to descriptions. Levels go lowest first. */
export const Options = Schema.transformOrFail(
  Schema.Unknown.annotations({
    jsonSchema: {
      anyOf: [
        listOf({ type: "string", maxLength: Limits.question }),
        // In lists of their own: that 1 and "1" are one name, JSON Schema cannot say.
        listOf({ type: "number", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
        {
          type: "object",
          description:
            "Names with a short description each, or with null. Levels stand lowest first, as they were sent; where a client's maps lose that order, a list of {name, description} is taken too.",
          additionalProperties: { anyOf: [{ type: "string", maxLength: Limits.question }, { type: "null" }] },
          propertyNames: { ...ownName, maxLength: Limits.question },
          minProperties: Limits.options.least,
          maxProperties: Limits.options.most
        }
      ]
    }
  }),
  Schema.Array(Option),
  {
    strict: true,
    decode: (input, _, ast) => {
      const map = !Array.isArray(input) || input instanceof Entries
      const entries = entriesOf(input)
      if (entries === undefined) return ParseResult.fail(issue(ast, input, "list_type", "Input should be a valid list"))
      const { least, most } = Limits.options
      const kind = map ? "Dictionary" : "List"
      const size = (type: string, bound: string) =>
        issue(ast, input, type, `${kind} should have ${bound} items after validation, not ${entries.length}`)
      if (entries.length < least) return ParseResult.fail(size("too_short", `at least ${least}`))
      if (entries.length > most) return ParseResult.fail(size("too_long", `at most ${most}`))
      const found: Array<ParseResult.ParseIssue> = []
      const names = new Set<string>()
      const options = entries.map(([item, description], index): Option => {
        const name = nameOf(item)
        const place = map ? String(name) : index
        const at = (type: string, msg: string) => found.push(issueAt(ast, place, item, type, msg))
        if (name === undefined) at("string_type", "Input should be a valid string")
        else if (!fits(name, Limits.question)) at("string_too_long", tooLong(Limits.question))
        else if (typeof item === "number" && !isExact(item))
          at("value_error", "Value error, a number loses digits beyond 2^53; send it as a string")
        else if (name === "__proto__") at("value_error", "Value error, '__proto__' cannot be the name of an option")
        else if (names.has(name)) at("value_error", "Value error, two options have the same name")
        else if (description !== null && typeof description !== "string")
          at("string_type", "Input should be a valid string")
        else if (description !== null && !fits(description, Limits.question))
          at("string_too_long", tooLong(Limits.question))
        else names.add(name)
        return { name: name ?? "", description: typeof description === "string" ? description : null }
      })
      const [first, ...rest] = found
      return first === undefined ? ParseResult.succeed(options) : ParseResult.fail(issues(ast, input, [first, ...rest]))
    },
    encode: (options) =>
      ParseResult.succeed(
        options.every(({ description }) => description === null)
          ? options.map(({ name }) => name)
          : keepsOrder(options)
            ? Object.fromEntries(options.map(({ name, description }) => [name, description]))
            : options
      )
  }
)
