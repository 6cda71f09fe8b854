import type { Manifest } from "#src/models/Manifest"
import type { Task } from "./Protocol.ts"
import { optionText } from "./Question.ts"
import { streamSafe } from "./tokenizer/StreamSafe.ts"

/** Characters as a tokenizer reads them: one of `ﷺ` stands for eighteen. */
const size = (text: string) => streamSafe(text).normalize("NFKC").length

/** Says how often the text of a task is read. */
export type Family = Manifest["family"]

/** How many deadlines a run may take: one, more for what is long, and more still where many options meet a long state. */
export const deadlines = ({ state, questions }: Task, family: Family) => {
  const text = size(state)
  const sizes = questions.map(({ wording, options }) => ({
    wording: size(wording),
    options: options.reduce((sum, option) => sum + size(optionText(option)), 0),
    count: options.length
  }))
  const asked = sizes.reduce((sum, { wording, options }) => sum + wording + options, 0)
  const read = {
    branches: text + asked,
    "cross-encoder": sizes.reduce((sum, { wording, options, count }) => sum + count * (text + wording) + options, 0),
    markers: 2 * (sizes.length * text + asked)
  }[family]
  return 1 + read / 5_000 + (text * asked) / 10_000_000
}
