import { fits } from "#schema/Field"
import { Limits } from "#schema/Limits"
import { count, plural } from "./format.ts"

/** The length of a text as the service counts it, in code points. */
export const codePoints = (text: string) => [...text].length

/** Whether a text is short enough to be read by the service. */
export const isReadable = (text: string, most: number = Limits.text) => fits(text, most)

/** The length of a text in words, and the most that there may be where it has more. */
export const lengthOf = (text: string, most: number = Limits.text) =>
  `${plural(codePoints(text), "character")}${isReadable(text, most) ? "" : `: at most ${count(most)} can be read.`}`
