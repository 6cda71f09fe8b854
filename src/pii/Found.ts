/** Where a text holds something that has the form of an identifier. */
export interface Found {
  readonly at: number
  readonly text: string
}

/** Finds, looked for one by one as they are asked for. */
export type Finds = IteratorObject<Found>

/** Characters of scripts that set no blanks between words and numbers. */
export const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u
    .source

/** What an identifier cannot stand right beside without being part of a longer word. */
export const glued = `(?!${unspaced})[\\p{L}\\p{N}]`

/** Matches of a pattern with the flag `g`, or what its first group holds of each: a group looked ahead at lets matches overlap. */
export const matches = (text: string, pattern: RegExp): Finds =>
  text.matchAll(pattern).map((match) => ({ at: match.index, text: match[1] ?? match[0] }))

/** What stands before a find, close enough to say what it is. */
export const before = (text: string, { at }: Found, characters: number): string =>
  text.slice(Math.max(0, at - characters), at)

/** The place after the last match of a pattern; -1 where there is none. */
export const last = (text: string, pattern: RegExp): number => {
  const found = Array.from(text.matchAll(pattern)).at(-1)
  return found === undefined ? -1 : found.index + found[0].length
}
