import { ParseResult, Schema } from "effect"
import { issue } from "./Field.ts"

interface Range {
  readonly least: number
  readonly most: number
  /** What an absent one means. */
  readonly standard: number
}

/** The whole number that a URL has in its text; one that is none, or out of range, in words. */
const readInteger = (
  written: string,
  { least, most }: Omit<Range, "standard">,
  ast: ParseResult.Type["ast"],
  input: unknown
) => {
  const value = Number(written)
  const broken = (type: string, msg: string) => ParseResult.fail(issue(ast, input, type, msg))
  if (!/^\s*[+-]?\d+\s*$/.test(written))
    return broken("int_parsing", "Input should be a valid integer, unable to parse string as an integer")
  if (value < least) return broken("greater_than_equal", `Input should be greater than or equal to ${least}`)
  if (value > most) return broken("less_than_equal", `Input should be less than or equal to ${most}`)
  return ParseResult.succeed(value)
}

/** A whole number of a query string, from `least` to `most`; where the query repeats it, the last counts. */
export const integerParam = ({ least, most, standard }: Range) =>
  Schema.transformOrFail(
    Schema.Union(Schema.String, Schema.Array(Schema.String)).annotations({
      jsonSchema: { type: "integer", minimum: least, maximum: most, default: standard }
    }),
    Schema.Int,
    {
      strict: true,
      decode: (input, _, ast) =>
        readInteger(typeof input === "string" ? input : (input.at(-1) ?? ""), { least, most }, ast, input),
      encode: (value) => ParseResult.succeed(String(value))
    }
  )

/** A whole number that a path names something by, from `least` to `most`. */
export const integerInPath = (range: Omit<Range, "standard">) =>
  Schema.transformOrFail(Schema.String, Schema.Int, {
    strict: true,
    decode: (input, _, ast) => readInteger(input, range, ast, input),
    encode: (value) => ParseResult.succeed(String(value))
  })
