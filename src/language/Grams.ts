import { streamSafe } from "../inference/tokenizer/StreamSafe.ts"

const SPACE = 32
const LONGEST = 5

/** Marks and apostrophes that stand alone, such as what makes an emoji of a heart, are of no language. */
const letter = /\p{L}/u

/**
 * Lower case, composed, letters and their marks alone, one space between words. The training code does the same, but for
 * marks without end, which would hold this process up, and words without a letter.
 */
export const normal = (text: string): string =>
  streamSafe(text.toLowerCase())
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}'’]+/gu, " ")
    .replaceAll("’", "'")
    .split(" ")
    .filter((word) => letter.test(word))
    .join(" ")

/** Bucket (of a power of two) of every n-gram of ` word `, n = 1..5, in a normal text. */
export const grams = (text: string, buckets: number): ReadonlyArray<number> => {
  if (text === "") return []
  const chars = [SPACE, ...Array.from(text, (char) => char.codePointAt(0) ?? SPACE), SPACE]
  const found: Array<number> = []
  for (let start = 0; start < chars.length; start++) {
    let hash = 2166136261
    for (let n = 1; n <= LONGEST && start + n <= chars.length; n++) {
      const char = chars[start + n - 1] ?? SPACE
      hash = Math.imul(hash ^ char, 16777619)
      const alone = char === SPACE && (n === 1 || (n === 2 && chars[start] === SPACE))
      if (!alone) found.push((hash ^ (hash >>> 15)) & (buckets - 1))
      if (char === SPACE && n > 1) break
    }
  }
  return found
}
