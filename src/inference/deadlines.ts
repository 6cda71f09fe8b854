import type { Branches, CrossEncoder, Markers } from "#src/models/Manifest"
import type { Task } from "./Protocol.ts"
import { optionText } from "./Question.ts"
import { LEAST_ROOM } from "./Tokens.ts"
import { streamSafe } from "./tokenizer/StreamSafe.ts"

/** Says how often the text of a task is read, and how much at once. */
export type Reader =
  | Pick<Branches, "family">
  | Pick<CrossEncoder, "family" | "window">
  | Pick<Markers, "family" | "window">

/** What a tokenizer reads: one of `ﷺ` stands for eighteen characters. */
const written = (text: string) => streamSafe(text).normalize("NFKC")

/** Bytes of UTF-8 in a token, in most languages: fewer characters where they say more. */
const TOKEN = 4

/** What is read of a text in windows, each with what stands beside the text. */
const inWindows = (text: number, beside: number, window: number) =>
  text + beside * Math.max(1, Math.ceil(text / Math.max(TOKEN * LEAST_ROOM, TOKEN * window - beside)))

/** How many deadlines a run may take: one, more for what is long, and more still where many options meet a long state. */
export const deadlines = ({ state, questions }: Task, reader: Reader) => {
  const size = (text: string) =>
    reader.family === "branches" ? written(text).length : Buffer.byteLength(written(text))
  const text = size(state)
  const sizes = questions.map(({ wording, options }) => {
    const each = options.map((option) => size(optionText(option)))
    return {
      wording: size(wording),
      count: each.length,
      options: each.reduce((sum, option) => sum + option, 0),
      longest: each.reduce((most, option) => Math.max(most, option), 0)
    }
  })
  const asked = sizes.reduce((sum, { wording, options }) => sum + wording + options, 0)
  const read = () => {
    switch (reader.family) {
      case "branches":
        return text + asked
      case "cross-encoder":
        return sizes.reduce(
          (sum, { wording, count, longest }) => sum + count * inWindows(text, wording + longest, reader.window),
          0
        )
      case "markers":
        return sizes.reduce(
          (sum, { wording, count, options }) =>
            sum + 2 * inWindows(text, wording + options + TOKEN * count, reader.window),
          0
        )
    }
  }
  return 1 + read() / 5_000 + (text * asked) / 10_000_000
}
