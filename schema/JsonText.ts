const quote = 0x22
const backslash = 0x5c
const minus = 0x2d

const isDigit = (code: number) => code >= 0x30 && code <= 0x39
/** Digits, `+ - . e E`. */
const inNumber = (code: number) =>
  isDigit(code) || code === 0x2b || code === minus || code === 0x2e || code === 0x45 || code === 0x65

/** Where the string ends that begins at `start`. */
const stringEnd = (text: string, start: number): number => {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1
  return at + 1
}

const numberEnd = (text: string, start: number): number => {
  let at = start + 1
  while (at < text.length && inNumber(text.charCodeAt(at))) at++
  return at
}

/** What stands in place of the string or number from `start` to `end`; undefined leaves it. */
export type Rewrite = (text: string, start: number, end: number) => string | undefined

const never: Rewrite = () => undefined

/** A JSON text with some of its strings and numbers rewritten, in one pass; the very same where none was. */
export const rewritten = (
  text: string,
  { strings = never, numbers = never }: { readonly strings?: Rewrite; readonly numbers?: Rewrite }
): string => {
  const parts: Array<string> = []
  let from = 0
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    const isString = code === quote
    if (!isString && code !== minus && !isDigit(code)) {
      at++
      continue
    }
    const end = isString ? stringEnd(text, at) : numberEnd(text, at)
    const instead = (isString ? strings : numbers)(text, at, end)
    if (instead !== undefined) {
      parts.push(text.slice(from, at), instead)
      from = end
    }
    at = end
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(from)
}
