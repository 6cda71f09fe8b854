import { Order, Schema } from "effect"

/** One answer that a question offers. The model reads `name`, or `name: description`. */
export const Option = Schema.Struct({
  name: Schema.String,
  description: Schema.optionalWith(Schema.String, { exact: true })
})
export type Option = typeof Option.Type

/** The options of a noul (yes/no) question are `yes` and `no`; those of a score are its levels, lowest first. */
export const QuestionType = Schema.Literal("choice", "noul", "score")
export type QuestionType = typeof QuestionType.Type

/** A typed question as the models read it. */
export const Question = Schema.Struct({ type: QuestionType, wording: Schema.String, options: Schema.Array(Option) })
export type Question = typeof Question.Type

/** The text of an option that the model reads. */
export const optionText = (option: Option): string =>
  option.description === undefined || option.description === "" ? option.name : `${option.name}: ${option.description}`

/** A name may hold what another option has in its description: their texts are the same then. */
const inOrder = Order.combine(
  Order.mapInput(Order.string, optionText),
  Order.mapInput(Order.string, ({ name }: Option) => name)
)

/**
 * The question with its options in an order of their own, and where each given option went.
 * Levels of a score keep theirs. So an answer cannot depend on the order in which a caller lists options, to the last bit.
 */
export const canonical = (
  question: Question
): { readonly question: Question; readonly places: ReadonlyArray<number> } => {
  if (question.type === "score") return { question, places: question.options.map((_, i) => i) }
  const keyed = question.options.map((option, from) => ({ option, from }))
  keyed.sort((a, b) => inOrder(a.option, b.option))
  const places = new Array<number>(keyed.length)
  keyed.forEach(({ from }, to) => {
    places[from] = to
  })
  return { question: { ...question, options: keyed.map(({ option }) => option) }, places }
}
