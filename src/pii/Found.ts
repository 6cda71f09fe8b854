/** Where a text holds something that has the form of an identifier. */
export interface Found {
  readonly at: number
  readonly text: string
}

/** Finds, looked for one by one as they are asked for. */
export type Finds = IteratorObject<Found>

/** Matches of a pattern with the flag `g`. */
export const matches = (text: string, pattern: RegExp): Finds =>
  text.matchAll(pattern).map((match) => ({ at: match.index, text: match[0] }))

/** What stands before a find, close enough to say what it is. */
export const before = (text: string, { at }: Found, characters: number): string =>
  text.slice(Math.max(0, at - characters), at)

/** The place after the last match of a pattern; -1 where there is none. */
export const last = (text: string, pattern: RegExp): number => {
  const found = Array.from(text.matchAll(pattern)).at(-1)
  return found === undefined ? -1 : found.index + found[0].length
}
