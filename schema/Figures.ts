import { Schema } from "effect"

const share = Schema.Number.pipe(Schema.between(0, 1))
const optional = <A, I>(field: Schema.Schema<A, I>) => Schema.optionalWith(field, { exact: true })

const measured = {
  questions: Schema.NonNegativeInt,
  /** Share of questions whose most probable answer is the right one. */
  accuracy: share,
  /** Expected calibration error: how far probabilities are from the shares of right answers. */
  ece: share,
  /** The same share for whoever always takes the answer that is right most often, and for comparing words alone. */
  majority: optional(share),
  bag_of_words: optional(share)
}

/** What is asked of texts about one subject, in one type of question; `all` is all subjects together. */
export const FamilyFigures = Schema.Struct({
  family: Schema.String,
  /** Of the texts. */
  language: Schema.Literal("en", "other"),
  type: Schema.Literal("choice", "noul", "score"),
  ...measured,
  /** Mean distance to the right place on the scale, in levels. */
  score_error: optional(Schema.NonNegative)
})
export type FamilyFigures = typeof FamilyFigures.Type

/** All questions about texts of one language. */
export const LanguageFigures = Schema.Struct({ language: Schema.String, ...measured })
export type LanguageFigures = typeof LanguageFigures.Type

/** How well a model answers questions about texts that it was not trained on. */
export const Figures = Schema.Struct({
  /** Day of the measurement. */
  measured: Schema.String,
  families: Schema.Array(FamilyFigures),
  languages: Schema.Array(LanguageFigures)
}).annotations({ identifier: "Figures" })
export type Figures = typeof Figures.Type
