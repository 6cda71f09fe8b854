import { Tensor } from "onnxruntime-node"
import { type Ids, pad } from "../Tokens.ts"
import { places, type Tokenized } from "./Packing.ts"
import type { Seen } from "./Seen.ts"
import type { Reading } from "./Views.ts"

/**
 * Questions are padded by whole vectors of a core, which takes up to sixteen numbers at once: behind their keys stand those of their
 * options, and a sum over these ends in the same order whatever else is asked, so that no int8 rounding falls on another side.
 */
const VECTOR = 16

/** Rows as two inputs of a graph: their ids, padded in steps of `step`, and how many each has. */
export const matrix = (
  name: string,
  rows: ReadonlyArray<Ids>,
  padding: number,
  { lengths: lengthsOf = `${name}_length`, step = 1 } = {}
) => {
  const { ids, lengths, width } = pad(rows, padding, step)
  return {
    [name]: new Tensor("int64", ids, [rows.length, width]),
    [lengthsOf]: new Tensor("int64", lengths, [rows.length])
  }
}

const floats = (values: ReadonlyArray<number>) => new Tensor("float32", Float32Array.from(values), [values.length])
const integers = (values: ReadonlyArray<number>) =>
  new Tensor("int64", BigInt64Array.from(values, BigInt), [values.length])

/** Inputs of a graph: windows of one text, questions about it, and the options of all questions one after another. */
export const asked = ({ text, branch }: Seen, questions: ReadonlyArray<Tokenized>, padding: number) => ({
  ...matrix("text", text, padding),
  ...matrix(
    "question",
    questions.map((q) => branch(q.wording)),
    padding,
    { step: VECTOR }
  ),
  ...matrix(
    "option",
    questions.flatMap((q) => q.options.map(branch)),
    padding
  ),
  owner: integers(questions.flatMap((q, index) => q.options.map(() => index))),
  place: floats(questions.flatMap(places)),
  level: floats(questions.flatMap((q) => q.options.map(() => (q.type === "score" ? 1 : 0))))
})

/** Inputs of a graph: what it needs of options and wordings read alone. `width`: numbers in a view. */
export const readAlone = ({ alone }: Seen, { known, fresh, places }: Reading, width: number, padding: number) => {
  const views = new Float32Array(known.length * width)
  known.forEach((view, i) => {
    views.set(view, i * width)
  })
  return {
    known: new Tensor("float32", views, [known.length, width]),
    ...matrix("fresh", fresh.options.map(alone), padding),
    ...matrix("fresh_wording", fresh.wordings.map(alone), padding),
    option_view: integers(places.options),
    question_view: integers(places.wordings)
  }
}
