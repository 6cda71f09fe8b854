import { Schema } from "effect"
import { Category } from "#schema/Category"
import { Figures } from "#schema/Figures"
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

/** A file in the folder of its model, and nowhere else. */
export const Inside = Schema.String.pipe(
  Schema.pattern(/^(?!\/)(?!.*(?:^|[\\/])\.\.(?:[\\/]|$))[^\0]+$/s, {
    message: () => "should be a path inside the model's folder"
  })
)

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
  /** What was measured of exactly these weights. */
  figures: Schema.optionalWith(Figures, { exact: true }),
  licence: Schema.String,
  sources: Schema.Array(Schema.String),
  /** Every file that the bundle needs, by its path in the bundle. */
  files: Schema.Record({ key: Inside, value: File })
}

/** Reads a text once and lets each option of each question be a branch that attends to it. */
export const Branches = Schema.Struct({
  ...common,
  family: Schema.Literal("branches"),
  graph: Inside,
  /** Reads texts of more than one window, and answers runs of any size; absent: `graph` does. */
  long: Schema.optionalWith(Inside, { exact: true }),
  /** Reads every row of ids by itself; the other graphs take what it sees in the place of word vectors. */
  front: Schema.optionalWith(Inside, { exact: true }),
  tokenizer: Inside,
  /** Ids around a text, and of padding. */
  tokens: Schema.Struct({ first: Schema.Int, last: Schema.Int, pad: Schema.Int }),
  /** Tokens of one text window; lengths of questions and options that the model was trained for. */
  limits: Schema.Struct({
    window: Schema.Int.pipe(Schema.greaterThanOrEqualTo(3)),
    question_tokens: Schema.Int,
    option_tokens: Schema.Int
  })
})
export type Branches = typeof Branches.Type

/** Reads a text together with one statement for each option, and says how well the text supports it (inference models). */
export const CrossEncoder = Schema.Struct({
  ...common,
  family: Schema.Literal("cross-encoder"),
  graph: Inside,
  tokenizer: Inside,
  /** Which of the logits says that the text supports the statement. */
  entailment: Schema.NonNegativeInt,
  /** Tokens of text and statement together, special ones included. A longer text is read in several windows. */
  window: Schema.Int.pipe(Schema.greaterThanOrEqualTo(64)),
  /** How `{question}` and `{option}` make a statement. */
  statement: Schema.String.pipe(Schema.includes("{option}"))
})
export type CrossEncoder = typeof CrossEncoder.Type

/** Reads question, options and text in one sequence, a marker before each option, and gives a logit for each marker. */
export const Markers = Schema.Struct({
  ...common,
  family: Schema.Literal("markers"),
  graph: Inside,
  tokenizer: Inside,
  /** Ids of the token before each option, and of the one after the last; without `end` there is none. */
  markers: Schema.Struct({
    option: Schema.NonNegativeInt,
    end: Schema.optionalWith(Schema.NonNegativeInt, { exact: true })
  }),
  /** Whether the text comes before the options and the question, or after them. */
  text: Schema.Literal("first", "last"),
  /** Whether the graph gives a logit for each option in turn, or one for each token, those of the markers among them. */
  logits: Schema.Literal("options", "tokens"),
  /** Tokens of all together, special ones included. A longer text is read in several windows. */
  window: Schema.Int.pipe(Schema.greaterThanOrEqualTo(64))
})
export type Markers = typeof Markers.Type

/** What `manifest.json` of a model says. Each family of graphs has its own fields. */
export const Manifest = Schema.Union(Branches, CrossEncoder, Markers)
export type Manifest = typeof Manifest.Type
