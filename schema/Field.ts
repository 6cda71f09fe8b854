import { ParseResult, Schema } from "effect"

/**
 * Fields of requests that say what is wrong with them in the words of FastAPI and pydantic v2.
 * A message reads `<type>: <msg>`; `Validation` splits it into the entry of a 422 body.
 */
const says = (type: string, msg: string) => `${type}: ${msg}`

const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

/** True when `text` has at most `max` code points; counts only where the UTF-16 length leaves a doubt. */
export const fits = (text: string, max: number): boolean =>
  text.length <= max || (text.length <= 2 * max && codePoints(text) <= max)

const wrong = (ast: ParseResult.Type["ast"], actual: unknown, type: string, msg: string): ParseResult.Type =>
  new ParseResult.Type(ast, actual, says(type, msg))

/** An issue at `path` below the field that is being read. */
export const issueAt = (
  ast: ParseResult.Type["ast"],
  path: string | number,
  actual: unknown,
  type: string,
  msg: string
): ParseResult.Pointer => new ParseResult.Pointer(path, actual, wrong(ast, actual, type, msg))

/** Several issues of one field. */
export const issues = (
  ast: ParseResult.Type["ast"],
  actual: unknown,
  found: readonly [ParseResult.ParseIssue, ...Array<ParseResult.ParseIssue>]
): ParseResult.ParseIssue => new ParseResult.Composite(ast, actual, found)

/** One issue of the field itself. */
export const issue = wrong

/** What is said of a string of more than `max` code points, wherever its length is checked. */
export const tooLong = (max: number) => `String should have at most ${max} characters`

/** A string of at most `max` code points. */
export const text = (max: number) =>
  Schema.String.annotations({ message: () => says("string_type", "Input should be a valid string") }).pipe(
    Schema.filter((value) => fits(value, max), {
      message: () => says("string_too_long", tooLong(max)),
      jsonSchema: { maxLength: max }
    })
  )

/** A string of any length. */
export const string = Schema.String.annotations({
  message: () => says("string_type", "Input should be a valid string")
})

/** true or false. */
export const boolean = Schema.Boolean.annotations({
  message: () => says("bool_type", "Input should be a valid boolean")
})

/** One of a few names. */
export const oneOf = <const Names extends readonly [string, ...Array<string>]>(...names: Names) => {
  const quoted = names.map((name) => `'${name}'`)
  const listed = quoted.length === 1 ? quoted[0] : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`
  return Schema.Literal(...names).annotations({
    message: () => ({ message: says("literal_error", `Input should be ${listed}`), override: true })
  })
}

const size = (actual: unknown): number => (Array.isArray(actual) ? actual.length : 0)

/**
 * A list of `least` to `most` items; items are looked at only when their number is right.
 * `described` is an item's JSON Schema.
 */
export const list = <A, I>(item: Schema.Schema<A, I>, least: number, most: number, described: object = {}) =>
  Schema.Array(Schema.Unknown)
    .annotations({
      message: () => says("list_type", "Input should be a valid list"),
      jsonSchema: { type: "array", items: described, minItems: least, maxItems: most }
    })
    .pipe(
      Schema.filter((items) => items.length >= least, {
        message: ({ actual }) =>
          says(
            "too_short",
            `List should have at least ${least} item${least === 1 ? "" : "s"} after validation, not ${size(actual)}`
          )
      }),
      Schema.filter((items) => items.length <= most, {
        message: ({ actual }) =>
          says(
            "too_long",
            `List should have at most ${most} item${most === 1 ? "" : "s"} after validation, not ${size(actual)}`
          )
      }),
      Schema.compose(Schema.Array(item), { strict: false })
    )

/**
 * A field with what it holds, as OpenAPI and /docs tell it. Beside fields that may be `null` in place of absent it would be
 * lost: there the field's schema itself is annotated.
 */
export const about = <S extends Schema.Schema.All>(field: S, description: string) =>
  Schema.propertySignature(field).annotations({ description })

/** An absent field; `null` counts as absent. */
export const optional = <A, I>(field: Schema.Schema<A, I>) =>
  Schema.optionalWith(field, { exact: true, nullable: true })

/** The request itself: its fields, all issues reported at once. */
export const request = <Fields extends Schema.Struct.Fields>(identifier: string, fields: Fields) =>
  Schema.Struct(fields).annotations({
    identifier,
    parseOptions: { errors: "all" },
    message: () => says("model_attributes_type", "Input should be a valid dictionary or object to extract fields from")
  })

/** A request with a rule across its fields, broken when `check` returns the sentence that says how. */
export const ruled = <A, I>(schema: Schema.Schema<A, I>, check: (value: A) => string | undefined) =>
  schema.pipe(
    Schema.filter((value) => {
      const broken = check(value)
      return broken === undefined ? undefined : says("value_error", `Value error, ${broken}`)
    })
  )

const control = /\p{Cc}/u

/** A name of 1 to `max` code points in one line: control characters are refused. */
export const name = (max: number) =>
  text(max).pipe(
    Schema.filter((value) => value.trim() !== "", {
      message: () => says("string_too_short", "String should have at least 1 character")
    }),
    Schema.filter((value) => !control.test(value), {
      message: () => says("value_error", "Value error, control characters are not allowed")
    })
  )

/** A finite number. */
export const number = Schema.Finite.annotations({
  message: () => ({ message: says("float_type", "Input should be a valid number"), override: true })
})

/** A whole number. */
export const integer = Schema.Int.annotations({
  message: () => ({ message: says("int_parsing", "Input should be a valid integer"), override: true })
})

/** JSON Schema of the name of an option or question: `__proto__` is refused, since not every reader takes it as data. */
export const ownName = { not: { const: "__proto__" } }

/** Whether a number is the one that was written: no whole number beyond those that have all their digits. */
export const isExact = (value: number): boolean =>
  Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))

/** A JSON object. */
export const isRecord = (input: unknown): input is Readonly<Record<string, unknown>> =>
  typeof input === "object" && input !== null && !Array.isArray(input)
