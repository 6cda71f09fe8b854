const HAS_LEAF = 1 << 8
const LABEL = 0x800000ff | 0
const utf8 = new TextEncoder()

/** Marks that belong to the character before them. */
const EXTENDS = /^(?:\u200d|[\p{Grapheme_Extend}\p{Mc}\p{Emoji_Modifier}\u0e33\u0eb3])$/u
/** What no mark joins. */
const CONTROL = /^(?!\u200d|[\u200c\u0600-\u0605\u06dd\u070f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]$/u
/** Characters with their marks are looked up whole only when shorter than this in UTF-8. */
const SHORT = 6

/**
 * SentencePiece's precompiled character map: a double-array trie over UTF-8, whose values are places in a list of replacements.
 * A character with its marks is looked up whole if short, else each by itself; the shortest entry that begins it replaces all of it.
 */
export const characterMap = (base64: string) => {
  const bytes = Uint8Array.from(Buffer.from(base64, "base64"))
  const size = new DataView(bytes.buffer).getUint32(0, true)
  const trie = new Int32Array(bytes.buffer.slice(4, 4 + size))
  const replacements = bytes.subarray(4 + size)
  const text = new TextDecoder()

  const offset = (unit: number) => (unit >>> 10) << ((unit & (1 << 9)) >>> 6)
  const lookUp = (chunk: string): string | undefined => {
    let node = offset(trie[0] ?? 0)
    for (const byte of utf8.encode(chunk)) {
      if (byte === 0) return undefined
      node ^= byte
      const unit = trie[node] ?? 0
      if ((unit & LABEL) !== byte) return undefined
      node ^= offset(unit)
      if ((unit & HAS_LEAF) === 0) continue
      const start = (trie[node] ?? 0) & 0x7fffffff
      return text.decode(replacements.subarray(start, replacements.indexOf(0, start)))
    }
    return undefined
  }

  const memo = <A>(of: (char: string) => A) => {
    const known = new Map<string, A>()
    return (char: string): A => {
      const found = known.get(char)
      if (found !== undefined) return found
      const made = of(char)
      if (known.size < 20_000) known.set(char, made)
      return made
    }
  }
  const mapped = memo((char) => lookUp(char) ?? char)
  const marks = memo((char) => EXTENDS.test(char))

  /** The replacement of a character with its marks. */
  const cluster = (chars: ReadonlyArray<string>): string => {
    const whole = chars.join("")
    const replaced = chars.length > 1 && utf8.encode(whole).length < SHORT ? lookUp(whole) : undefined
    return replaced ?? chars.map(mapped).join("")
  }

  return (input: string): string => {
    if (/^[ -~]*$/.test(input)) return input
    let output = ""
    let pending: Array<string> = []
    for (const char of input) {
      const [base] = pending
      const joins =
        char === "\n"
          ? base === "\r" && pending.length === 1
          : char > "~" && marks(char) && base !== undefined && !CONTROL.test(base)
      if (!joins && base !== undefined) {
        output += pending.length === 1 ? mapped(base) : cluster(pending)
        pending = []
      }
      pending.push(char)
    }
    return output + cluster(pending)
  }
}
