import { Tokenizer } from "@huggingface/tokenizers"
import { Effect, Option, Schema } from "effect"
import { type Frame, frameOf } from "../crossencoder/Frame.ts"
import { type Around, aroundOf } from "../markers/Sequence.ts"
import type { Ids } from "../Tokens.ts"
import { Normalizer, normalizer } from "./Normalizer.ts"
import { Pieces, pieces, Scores } from "./Pieces.ts"
import { streamSafe } from "./StreamSafe.ts"
import { wordPiece } from "./WordPiece.ts"

/** Text to token ids. Names of special tokens in a text are text like any other. */
export type Encode = (text: string) => Ids

// Checked as a whole, like the scores of pieces.
const Numbers = Schema.declare(
  (input): input is Readonly<Record<string, number>> =>
    typeof input === "object" && input !== null && Object.values(input).every(Number.isInteger)
)

const Words = Schema.Struct({
  normalizer: Normalizer,
  pre_tokenizer: Schema.Struct({ type: Schema.Literal("BertPreTokenizer") }),
  model: Schema.Struct({
    type: Schema.Literal("WordPiece"),
    vocab: Numbers,
    unk_token: Schema.String,
    continuing_subword_prefix: Schema.String,
    max_input_chars_per_word: Schema.Int
  })
})

const words = ({ normalizer: steps, model }: typeof Words.Type): Encode => {
  const normalize = normalizer(steps)
  const split = wordPiece(model)
  return (text) => split(normalize(text))
}

const Listed = Schema.Struct({ model: Schema.Struct({ type: Schema.Literal("Unigram"), vocab: Scores }) })

/** A tokenizer whose hidden tokens no piece of a text can be: a unigram model finds whatever its vocabulary names. */
const nameless = (json: object, hidden: ReadonlySet<number>): object =>
  Option.match(Schema.decodeUnknownOption(Listed, { onExcessProperty: "preserve" })(json), {
    onNone: () => json,
    onSome: ({ model }) => ({
      ...json,
      model: { ...model, vocab: model.vocab.map(([piece, score], id) => [hidden.has(id) ? "" : piece, score]) }
    })
  })

const AddedTokens = Schema.Struct({
  added_tokens: Schema.optional(Schema.Array(Schema.Struct({ id: Schema.Int, special: Schema.Boolean })))
})

const read = (file: string) => Effect.promise((): Promise<object> => Bun.file(file).json())

const addedTokens = (json: object) =>
  Schema.decodeUnknownSync(AddedTokens, { onExcessProperty: "preserve" })(json).added_tokens ?? []

/** Encodes with the library, hidden tokens unknown to it by name. */
const generic = (json: object, hidden: ReadonlySet<number>): Encode => {
  const added_tokens = addedTokens(json).filter(({ id }) => !hidden.has(id))
  const tokenizer = new Tokenizer({ ...nameless(json, hidden), added_tokens }, {})
  return (text) => tokenizer.encode(streamSafe(text), { add_special_tokens: false }).ids
}

/**
 * Reads a Hugging Face `tokenizer.json`. Its truncation and padding are ignored: nothing is cut.
 * No text gives a special token, nor one of `markers`, whatever it says.
 * The two kinds that the built-in models use, and what splits a text into words before its pieces, have code of their own,
 * as exact as the original and several times faster than the library that reads all others.
 */
export const loadTokenizer = (file: string, markers: ReadonlyArray<number> = []): Effect.Effect<Encode> =>
  Effect.map(read(file), (json) => {
    const added = addedTokens(json)
    const special = added.flatMap((token) => (token.special ? [token.id] : []))
    const hidden = new Set([...special, ...markers])
    // The library alone finds words that were added to a vocabulary.
    if (added.some(({ id }) => !hidden.has(id))) return generic(json, hidden)
    return Option.map(Schema.decodeUnknownOption(Pieces)(json), (known) => pieces(known, hidden)).pipe(
      Option.orElse(() => Option.map(Schema.decodeUnknownOption(Words)(json), words)),
      Option.getOrElse(() => generic(json, hidden))
    )
  })

/** What the tokenizer puts around a text. */
export const loadAround = (file: string): Effect.Effect<Around> =>
  Effect.flatMap(read(file), (json) => {
    const tokenizer = new Tokenizer(json, {})
    const around = aroundOf(tokenizer.encode("a").ids, tokenizer.encode("a", { add_special_tokens: false }).ids)
    return around === undefined
      ? Effect.dieMessage(`${file} does not say what is around a text`)
      : Effect.succeed(around)
  })

/** What the tokenizer puts around and between the two texts of a pair. */
export const loadPairFrame = (file: string): Effect.Effect<Frame> =>
  Effect.flatMap(read(file), (json) => {
    const tokenizer = new Tokenizer(json, {})
    const pair = tokenizer.encode("a", { text_pair: "a", return_token_type_ids: true })
    const frame = frameOf(
      { ids: pair.ids, types: pair.token_type_ids },
      tokenizer.encode("a", { add_special_tokens: false }).ids
    )
    return frame === undefined
      ? Effect.dieMessage(`${file} does not say how a pair of texts is joined`)
      : Effect.succeed(frame)
  })
