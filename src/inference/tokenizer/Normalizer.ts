import { Schema } from "effect"
import { characterMap } from "./CharacterMap.ts"
import { streamSafe } from "./StreamSafe.ts"

/** Writes a text as the vocabulary of a model expects it. */
export type Normalize = (text: string) => string

const Pattern = Schema.Union(Schema.Struct({ Regex: Schema.String }), Schema.Struct({ String: Schema.String }))

const Step = Schema.Union(
  Schema.Struct({ type: Schema.Literal("Precompiled"), precompiled_charsmap: Schema.String }),
  Schema.Struct({ type: Schema.Literal("Replace"), pattern: Pattern, content: Schema.String }),
  Schema.Struct({ type: Schema.Literal("Strip"), strip_left: Schema.Boolean, strip_right: Schema.Boolean }),
  Schema.Struct({ type: Schema.Literal("NFC", "NFD", "NFKC", "NFKD") }),
  Schema.Struct({
    type: Schema.Literal("BertNormalizer"),
    clean_text: Schema.Boolean,
    handle_chinese_chars: Schema.Boolean,
    strip_accents: Schema.NullOr(Schema.Boolean),
    lowercase: Schema.Boolean
  })
)

/** The normalizers of a `tokenizer.json` that are understood here. */
export const Normalizer = Schema.Union(
  Step,
  Schema.Struct({ type: Schema.Literal("Sequence"), normalizers: Schema.Array(Step) })
)

/** All white space is of one UTF-16 unit each. */
const SPACE = /\p{White_Space}/u

const CHINESE =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu

const bert = (options: {
  readonly clean_text: boolean
  readonly handle_chinese_chars: boolean
  readonly strip_accents: boolean | null
  readonly lowercase: boolean
}): Normalize => {
  const strip = options.strip_accents ?? options.lowercase
  return (text) => {
    let out = text
    if (options.clean_text)
      out = out.replace(/[\0\ufffd]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}]/gu, "").replace(/\p{White_Space}/gu, " ")
    if (options.handle_chinese_chars) out = out.replace(CHINESE, " $& ")
    if (strip)
      out = streamSafe(out)
        .normalize("NFD")
        .replace(/\p{Mn}/gu, "")
    // without the rule for a sigma that ends a word, which the tokenizers that wrote the vocabularies lack
    return options.lowercase ? out.replaceAll("Σ", "σ").toLowerCase() : out
  }
}

const step = (of: typeof Step.Type): Normalize => {
  switch (of.type) {
    case "Precompiled":
      return characterMap(of.precompiled_charsmap)
    case "Replace": {
      const { pattern, content } = of
      const searched = "Regex" in pattern ? new RegExp(pattern.Regex, "gu") : pattern.String
      return (text) => text.replaceAll(searched, () => content)
    }
    case "Strip":
      return (text) => {
        let [start, end] = [0, text.length]
        while (of.strip_left && start < end && SPACE.test(text.charAt(start))) start++
        while (of.strip_right && start < end && SPACE.test(text.charAt(end - 1))) end--
        return text.slice(start, end)
      }
    case "BertNormalizer":
      return bert(of)
    default:
      return (text) => streamSafe(text).normalize(of.type)
  }
}

/** The steps of a normalizer as one function, in their order. */
export const normalizer = (of: typeof Normalizer.Type): Normalize => {
  const steps = of.type === "Sequence" ? of.normalizers.map(step) : [step(of)]
  return (text) => steps.reduce((current, next) => next(current), text)
}
