import { Schema } from "effect"
import type { Ids } from "../Tokens.ts"
import { Normalizer, normalizer } from "./Normalizer.ts"
import { unigram } from "./Unigram.ts"

/** The pieces of a vocabulary, and how likely each is. Checked as a whole: a schema of each entry takes most of a worker's start. */
export const Scores = Schema.declare(
  (input): input is ReadonlyArray<readonly [string, number]> =>
    Array.isArray(input) && input.every((entry) => typeof entry?.[0] === "string" && typeof entry[1] === "number")
)

const Metaspace = Schema.Struct({
  type: Schema.Literal("Metaspace"),
  replacement: Schema.String,
  prepend_scheme: Schema.optional(Schema.Literal("always", "first")),
  add_prefix_space: Schema.optional(Schema.Literal(true))
})

const WhitespaceSplit = Schema.Struct({ type: Schema.Literal("WhitespaceSplit") })
const EachWord = Schema.Struct({
  ...Metaspace.fields,
  prepend_scheme: Schema.optional(Schema.Literal("always"))
})

const Sequence = <const Steps extends Schema.TupleType.Elements>(...steps: Steps) =>
  Schema.Struct({ type: Schema.Literal("Sequence"), pretokenizers: Schema.Tuple(...steps) })

const PreTokenizer = Schema.Union(Metaspace, Sequence(Metaspace), Sequence(WhitespaceSplit, EachWord))

/** A `tokenizer.json` whose vocabulary is of pieces that may begin with a space, like SentencePiece's. */
export const Pieces = Schema.Struct({
  normalizer: Normalizer,
  pre_tokenizer: PreTokenizer,
  model: Schema.Struct({
    type: Schema.Literal("Unigram"),
    unk_id: Schema.Int,
    byte_fallback: Schema.optional(Schema.Literal(false)),
    vocab: Scores
  })
})

/** Writes spaces as the vocabulary does, one before each word, in parts that no piece reaches beyond. */
const spaced = (of: typeof PreTokenizer.Type): ((text: string) => ReadonlyArray<string>) => {
  const begun = (replacement: string, text: string) =>
    text === "" || text.startsWith(replacement) ? text : replacement + text
  const steps = "pretokenizers" in of ? of.pretokenizers : ([of] as const)
  if (steps.length === 2) {
    const [, { replacement }] = steps
    return (text) => text.split(/\p{White_Space}+/u).map((word) => begun(replacement, word))
  }
  const [{ replacement }] = steps
  return (text) => [begun(replacement, text.replaceAll(" ", replacement))]
}

/** Splits texts into such pieces; those that are `hidden` stand in the vocabulary and never in a text. */
export const pieces = (
  { normalizer: steps, pre_tokenizer, model }: typeof Pieces.Type,
  hidden: ReadonlySet<number>
): ((text: string) => Ids) => {
  const normalize = normalizer(steps)
  const space = spaced(pre_tokenizer)
  const split = unigram(model.vocab, model.unk_id, hidden)
  return (text) => space(normalize(text)).flatMap(split)
}
