import { Schema } from "effect"
import { Category } from "#schema/Category"
import { QuestionType } from "#src/inference/Question"

/** Divides the logits of questions of one type with a range of options, so that probabilities mean what they say. */
export const Temperature = Schema.Struct({
  type: QuestionType,
  min_options: Schema.Int,
  max_options: Schema.Int,
  temperature: Schema.Positive
})
export type Temperature = typeof Temperature.Type

/** How a model is asked for one category of moderation, and the score from which a text is flagged. */
export const ModerationCategory = Schema.Struct({
  question: Schema.NonEmptyString,
  /** What yes means. */
  description: Schema.optionalWith(Schema.String, { exact: true }),
  threshold: Schema.Number
})
export type ModerationCategory = typeof ModerationCategory.Type

const File = Schema.Struct({ bytes: Schema.Int, sha256: Schema.String })

const common = {
  schema: Schema.Literal(1),
  name: Schema.NonEmptyString,
  /** Names the weights, e.g. `svc-en-0001`. */
  checkpoint: Schema.NonEmptyString,
  description: Schema.String,
  release_date: Schema.String,
  languages: Schema.Array(Schema.String),
  temperatures: Schema.Array(Temperature),
  /** The account that alone may use it; absent: every account may. */
  owner: Schema.optionalWith(Schema.String, { exact: true }),
  /** Fitted to this model; a category that is absent is asked in the service's own words. */
  moderation: Schema.optionalWith(
    Schema.partialWith(Schema.Record({ key: Category, value: ModerationCategory }), { exact: true }),
    {
      exact: true
    }
  ),
  licence: Schema.String,
  sources: Schema.Array(Schema.String),
  /** Every file that the bundle needs, by its path in the bundle. */
  files: Schema.Record({ key: Schema.String, value: File })
}

/** Reads a text once and lets each option of each question be a branch that attends to it. */
export const Branches = Schema.Struct({
  ...common,
  family: Schema.Literal("branches"),
  graph: Schema.String,
  tokenizer: Schema.String,
  /** Ids around a text, and of padding. */
  tokens: Schema.Struct({ first: Schema.Int, last: Schema.Int, pad: Schema.Int }),
  /** Tokens of one text window; lengths of questions and options that the model was trained for. */
  limits: Schema.Struct({ window: Schema.Int, question_tokens: Schema.Int, option_tokens: Schema.Int })
})
export type Branches = typeof Branches.Type

/** Reads a text together with one statement for each option, and says how well the text supports it (inference models). */
export const CrossEncoder = Schema.Struct({
  ...common,
  family: Schema.Literal("cross-encoder"),
  graph: Schema.String,
  tokenizer: Schema.String,
  /** Which of the logits says that the text supports the statement. */
  entailment: Schema.NonNegativeInt,
  /** Tokens of text and statement together, special ones included. A longer text is read in several windows. */
  window: Schema.Int.pipe(Schema.greaterThanOrEqualTo(64)),
  /** How `{question}` and `{option}` make a statement. */
  statement: Schema.String.pipe(Schema.includes("{option}"))
})
export type CrossEncoder = typeof CrossEncoder.Type

/** What `manifest.json` of a model says. Each family of graphs has its own fields. */
export const Manifest = Schema.Union(Branches, CrossEncoder)
export type Manifest = typeof Manifest.Type
