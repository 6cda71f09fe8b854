import { ParseResult } from "effect"
import { type Detail, details } from "#schema/Validation"

const line = ({ loc, msg }: Detail) => {
  const place = loc.slice(1).join(" › ")
  const words = msg.replace(/^Value error, /, "")
  return place === "" ? words : `${place}: ${words}`
}

/** What is wrong with something that was written, a line each. */
export const lines = (wrong: ReadonlyArray<Detail>) => wrong.map(line).join("\n")

/** The same of something that never left this page. */
export const wrong = (error: ParseResult.ParseError) =>
  lines(details(ParseResult.ArrayFormatter.formatErrorSync(error), "body"))
