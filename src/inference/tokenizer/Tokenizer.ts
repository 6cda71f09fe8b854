import { Tokenizer } from "@huggingface/tokenizers"
import { Effect, Option, Schema } from "effect"
import { Normalizer, normalizer } from "./Normalizer.ts"
import { unigram } from "./Unigram.ts"
import { wordPiece } from "./WordPiece.ts"

/** Text to token ids. Names of special tokens in a text are text like any other. */
export type Encode = (text: string) => ReadonlyArray<number>

const Pieces = Schema.Struct({
  normalizer: Normalizer,
  pre_tokenizer: Schema.Struct({
    type: Schema.Literal("Metaspace"),
    replacement: Schema.String,
    prepend_scheme: Schema.Literal("always")
  }),
  model: Schema.Struct({
    type: Schema.Literal("Unigram"),
    unk_id: Schema.Int,
    byte_fallback: Schema.Literal(false),
    vocab: Schema.Array(Schema.Tuple(Schema.String, Schema.Number))
  })
})

const Words = Schema.Struct({
  normalizer: Normalizer,
  pre_tokenizer: Schema.Struct({ type: Schema.Literal("BertPreTokenizer") }),
  model: Schema.Struct({
    type: Schema.Literal("WordPiece"),
    vocab: Schema.Record({ key: Schema.String, value: Schema.Int }),
    unk_token: Schema.String,
    continuing_subword_prefix: Schema.String,
    max_input_chars_per_word: Schema.Int
  })
})

const pieces = ({ normalizer: steps, pre_tokenizer: { replacement }, model }: typeof Pieces.Type): Encode => {
  const normalize = normalizer(steps)
  const split = unigram(model.vocab, model.unk_id)
  return (text) => {
    const spaced = normalize(text).replaceAll(" ", replacement)
    return split(spaced === "" || spaced.startsWith(replacement) ? spaced : replacement + spaced)
  }
}

const words = ({ normalizer: steps, model }: typeof Words.Type): Encode => {
  const normalize = normalizer(steps)
  const split = wordPiece(model)
  return (text) => split(normalize(text))
}

/**
 * Reads a Hugging Face `tokenizer.json`. Its truncation and padding are ignored: nothing is cut.
 * The two kinds that the built-in models use have code of their own, as exact as the original and several times faster
 * than the library that reads all others.
 */
export const loadTokenizer = (file: string): Effect.Effect<Encode> =>
  Effect.map(
    Effect.promise((): Promise<object> => Bun.file(file).json()),
    (json) =>
      Option.map(Schema.decodeUnknownOption(Pieces)(json), pieces).pipe(
        Option.orElse(() => Option.map(Schema.decodeUnknownOption(Words)(json), words)),
        Option.getOrElse(() => {
          const tokenizer = new Tokenizer(json, {})
          return (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids
        })
      )
  )
