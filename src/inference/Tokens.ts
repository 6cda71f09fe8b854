/** Ids of tokens in the vocabulary of a model, in the order of the text. */
export type Ids = ReadonlyArray<number>

/** A matrix of ids, row by row, padded at the right. */
export interface Padded {
  readonly ids: BigInt64Array
  readonly lengths: BigInt64Array
  readonly width: number
}

/** Tokens of the longest row. */
export const longestOf = (rows: ReadonlyArray<Ids>): number => rows.reduce((most, row) => Math.max(most, row.length), 0)

/** Pads rows to the longest, rounded up to a multiple of `step` ids. */
export const pad = (rows: ReadonlyArray<Ids>, padding: number, step = 1): Padded => {
  const longest = rows.reduce((most, row) => Math.max(most, row.length), 1)
  const width = step * Math.ceil(longest / step)
  const ids = new BigInt64Array(rows.length * width).fill(BigInt(padding))
  const lengths = new BigInt64Array(rows.length)
  rows.forEach((row, r) => {
    lengths[r] = BigInt(row.length)
    row.forEach((id, c) => {
      ids[r * width + c] = BigInt(id)
    })
  })
  return { ids, lengths, width }
}

/** Cuts a text into parts of at most `room` tokens and nearly equal length; an empty text is one empty part. Nothing is dropped. */
export const parts = (text: Ids, room: number): ReadonlyArray<Ids> => {
  const count = Math.max(1, Math.ceil(text.length / room))
  const step = Math.ceil(text.length / count)
  return Array.from({ length: count }, (_, i) => text.slice(i * step, (i + 1) * step))
}

/** Tokens that a text has to be left beside a statement or a question, at the least. */
export const LEAST_ROOM = 32
