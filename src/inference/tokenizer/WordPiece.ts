import { Array } from "effect"

/** The `model` of a WordPiece `tokenizer.json`, under its own names; `vocab` holds each token's id. */
export interface WordPieceOptions {
  readonly vocab: Readonly<Record<string, number>>
  readonly unk_token: string
  readonly continuing_subword_prefix: string
  readonly max_input_chars_per_word: number
}

const WORD = /[\p{P}!-/:-@[-`{-~]|[^\p{White_Space}\p{P}!-/:-@[-`{-~]+/gu

/** What a word is made of where it cannot be read whole: pictures and other signs, and what stands between them. */
const PARTS = /[\p{So}\p{Sk}]+|[^\p{So}\p{Sk}]+/gu

/**
 * Words and single punctuation marks, each split greedily into its longest pieces. A word with an unknown part is one unknown token,
 * but for what stands beside a sign in it: of `idiot😀` the original reads nothing.
 */
export const wordPiece = ({
  vocab,
  unk_token,
  continuing_subword_prefix,
  max_input_chars_per_word
}: WordPieceOptions) => {
  const first = new Map<string, number>()
  const later = new Map<string, number>()
  for (const [token, id] of Object.entries(vocab)) {
    first.set(token, id)
    if (token.startsWith(continuing_subword_prefix)) later.set(token.slice(continuing_subword_prefix.length), id)
  }
  const unknown = first.get(unk_token) ?? 0
  const longest = Object.keys(vocab).reduce((most, token) => Math.max(most, token.length), 0)

  const split = (word: string, begin: ReadonlyMap<string, number>): ReadonlyArray<number> => {
    const ids: Array<number> = []
    for (let start = 0; start < word.length; ) {
      const known = start === 0 ? begin : later
      let end = Math.min(word.length, start + longest)
      let id: number | undefined
      for (; end > start; end--) {
        id = known.get(word.slice(start, end))
        if (id !== undefined) break
      }
      if (id === undefined) {
        const parts = word.match(PARTS) ?? []
        return parts.length > 1 ? parts.flatMap((part) => split(part, first)) : [unknown]
      }
      ids.push(id)
      start = end
    }
    return ids
  }

  /** What is longer than any word is read in parts: as the one unknown token that it is to the original, nothing of it would be. */
  const pieces = (word: string): ReadonlyArray<number> =>
    word.length <= max_input_chars_per_word
      ? split(word, first)
      : Array.chunksOf(word, max_input_chars_per_word).flatMap((part, i) =>
          split(part.join(""), i === 0 ? first : later)
        )
  return (text: string): ReadonlyArray<number> => (text.match(WORD) ?? []).flatMap(pieces)
}
