import { Trie } from "./Trie.ts"

/** How much less likely an unknown character is than the least likely piece. */
const UNKNOWN_PENALTY = 10

/**
 * The most probable split of a text into pieces; neighbouring characters that no piece covers are one unknown token.
 * Pieces that are `hidden` stand in the vocabulary and never in a text.
 */
export const unigram = (
  vocabulary: ReadonlyArray<readonly [string, number]>,
  unknown: number,
  hidden: ReadonlySet<number> = new Set()
) => {
  const trie = new Trie(vocabulary.map(([piece], id) => (hidden.has(id) ? "" : piece)))
  const scores = Float64Array.from(vocabulary, ([, score]) => score)
  const unknownScore =
    scores.reduce((least, score) => Math.min(least, score), Number.POSITIVE_INFINITY) - UNKNOWN_PENALTY

  return (text: string): ReadonlyArray<number> => {
    const best = new Float64Array(text.length + 1)
    const from = new Int32Array(text.length + 1).fill(-1)
    const piece = new Int32Array(text.length + 1)
    let here = 0
    let single = false
    let next = 0
    const extend = (id: number, end: number, score: number) => {
      const total = (best[here] ?? 0) + score
      if (from[end] !== -1 && total <= (best[end] ?? 0)) return
      best[end] = total
      from[end] = here
      piece[end] = id
    }
    const found = (id: number, end: number) => {
      extend(id, end, scores[id] ?? 0)
      if (end === next) single = true
    }
    for (here = 0; here < text.length; here = next) {
      next = here + ((text.codePointAt(here) ?? 0) > 0xffff ? 2 : 1)
      single = false
      trie.prefixes(text, here, found)
      if (!single) extend(unknown, next, unknownScore)
    }
    const ids: Array<number> = []
    for (let end = text.length; end > 0; end = from[end] ?? 0) {
      const id = piece[end] ?? unknown
      if (id !== unknown || ids.at(-1) !== unknown) ids.push(id)
    }
    return ids.reverse()
  }
}
