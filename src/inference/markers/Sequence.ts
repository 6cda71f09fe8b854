import type { Markers } from "#src/models/Manifest"
import type { Ids } from "../Tokens.ts"

/** What a tokenizer puts around a text. */
export interface Around {
  readonly before: Ids
  readonly after: Ids
}

/** A question in tokens. */
export interface Asked {
  readonly wording: Ids
  readonly options: ReadonlyArray<Ids>
}

/** What the model reads at once: a question, its options, each behind a marker, and the text. */
export interface Sequence {
  readonly ids: Ids
  /** Places of the markers, in the order of the options. */
  readonly markers: ReadonlyArray<number>
}

/** Learns what is around a text from an encoded one, whose own tokens are `text`; undefined if they are not found. */
export const aroundOf = (encoded: Ids, text: Ids): Around | undefined => {
  const at = encoded.findIndex((_, start) => text.every((id, i) => encoded[start + i] === id))
  return at < 0 ? undefined : { before: encoded.slice(0, at), after: encoded.slice(at + text.length) }
}

/** Tokens of a sequence without its text. */
export const lengthWithout = ({ before, after }: Around, { markers }: Pick<Markers, "markers">, asked: Asked): number =>
  before.length +
  after.length +
  asked.wording.length +
  (markers.end === undefined ? 0 : 1) +
  asked.options.reduce((sum, option) => sum + 1 + option.length, 0)

/** `before, marker, option, marker, option, …, end, wording, text, after`, or with the text first. */
export const sequence = (
  { before, after }: Around,
  { markers, text: place }: Pick<Markers, "markers" | "text">,
  { wording, options }: Asked,
  text: Ids
): Sequence => {
  const ids = place === "first" ? [...before, ...text] : [...before]
  const at: Array<number> = []
  for (const option of options) {
    at.push(ids.length)
    ids.push(markers.option, ...option)
  }
  if (markers.end !== undefined) ids.push(markers.end)
  ids.push(...wording, ...(place === "last" ? text : []), ...after)
  return { ids, markers: at }
}
