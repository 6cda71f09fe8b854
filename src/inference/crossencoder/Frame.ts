import type { Ids } from "../Tokens.ts"

interface Encoding {
  readonly ids: Ids
  readonly types: Ids
}

/** What a tokenizer puts around and between the two texts of a pair, with the types of all tokens. */
export interface Frame {
  readonly before: Encoding
  readonly between: Encoding
  readonly after: Encoding
  /** Types of the tokens of the first and of the second text. */
  readonly types: readonly [number, number]
}

/** Learns the frame from an encoded pair of twice the same text, whose own tokens are `text`; undefined if they are not found. */
export const frameOf = (pair: Encoding, text: Ids): Frame | undefined => {
  const find = (from: number) =>
    pair.ids.findIndex((_, at) => at >= from && text.every((id, i) => pair.ids[at + i] === id))
  const first = find(0)
  const second = find(first + text.length)
  if (first < 0 || second < 0) return undefined
  const part = (from: number, to: number): Encoding => ({
    ids: pair.ids.slice(from, to),
    types: pair.types.slice(from, to)
  })
  return {
    before: part(0, first),
    between: part(first + text.length, second),
    after: part(second + text.length, pair.ids.length),
    types: [pair.types[first] ?? 0, pair.types[second] ?? 0]
  }
}

/** Tokens that the frame itself takes. */
export const frameLength = ({ before, between, after }: Frame): number =>
  before.ids.length + between.ids.length + after.ids.length

/** A pair of texts with its frame. */
export const framed = ({ before, between, after, types }: Frame, first: Ids, second: Ids): Encoding => ({
  ids: [...before.ids, ...first, ...between.ids, ...second, ...after.ids],
  types: [
    ...before.types,
    ...first.map(() => types[0]),
    ...between.types,
    ...second.map(() => types[1]),
    ...after.types
  ]
})
