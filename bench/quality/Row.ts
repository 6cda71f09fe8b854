import { Schema } from "effect"
import { Category } from "#schema/Category"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true, nullable: true })
const strings = Schema.Array(Schema.String)
const described = Schema.Record({ key: Schema.String, value: Schema.String })
const Labels = Schema.Union(Schema.String, strings)

/** A row of `labelled/`. */
export const LabelledRow = Schema.Struct({
  set: Schema.String,
  split: Schema.String,
  lang: Schema.String,
  text: Schema.String,
  text_b: optional(Schema.String),
  target: optional(Schema.Unknown),
  label: optional(Labels),
  label2: optional(Labels),
  score: optional(Schema.Number),
  options: optional(strings)
})
export type LabelledRow = typeof LabelledRow.Type

/** What can be asked of the rows of a set. */
export const Task = Schema.Struct({
  type: Schema.Literal("choice", "yes_no", "score"),
  field: Schema.String,
  questions: strings,
  questions_by_lang: optional(
    Schema.Record({
      key: Schema.String,
      value: Schema.Union(strings, Schema.Record({ key: Schema.String, value: Labels }))
    })
  ),
  questions_by_target: optional(Schema.Record({ key: Schema.String, value: strings })),
  labels: optional(described),
  yes_labels: optional(strings),
  yes_by_question: optional(Schema.Array(strings)),
  levels: optional(Schema.Struct({ min: Schema.Number, max: Schema.Number, wordings: Schema.Array(strings) })),
  score_from_label: optional(Schema.Record({ key: Schema.String, value: Schema.Number }))
})
export type Task = typeof Task.Type

/** Which labels of a set say that a text belongs to a category of moderation, and which that it does not. */
const Rule = Schema.Struct({
  field: Schema.optionalWith(Schema.String, { default: () => "label" }),
  target: optional(Schema.String),
  positive: Schema.optionalWith(strings, { default: () => [] }),
  negative: Schema.optionalWith(strings, { default: () => [] }),
  weak_negative: Schema.optionalWith(strings, { default: () => [] })
})

/** `sets.json`. */
export const Sets = Schema.Struct({
  sets: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      family: Schema.String,
      tasks: Schema.Array(Task),
      targets: optional(Schema.Unknown),
      moderation: optional(Schema.Record({ key: Schema.String, value: Rule }))
    })
  )
})
export type Set = (typeof Sets.Type)["sets"][number]

const asked = { q: Schema.Unknown, c: optional(Schema.Number) }

/** A state with its questions. */
export const StateRow = Schema.Struct({
  lang: Schema.String,
  state: Schema.Unknown,
  questions: Schema.Array(
    Schema.Union(
      Schema.Struct({
        ...asked,
        type: Schema.Literal("noul"),
        a: Schema.Boolean,
        true: optional(Schema.String),
        false: optional(Schema.String)
      }),
      Schema.Struct({
        ...asked,
        type: Schema.Literal("choice"),
        a: Schema.String,
        options: Schema.Union(strings, Schema.Record({ key: Schema.String, value: Schema.NullOr(Schema.String) }))
      }),
      Schema.Struct({ ...asked, type: Schema.Literal("score"), a: Schema.Number, levels: strings })
    )
  )
})
export type StateRow = typeof StateRow.Type

/** A row of `written/`. */
export const WrittenRow = Schema.Struct({ ...StateRow.fields, split: Schema.String })

/** A row of `templates/`: a text with the answers of several templates. */
export const TemplateRow = Schema.Struct({
  split: Schema.String,
  lang: Schema.String,
  text: Schema.String,
  t: Schema.Record({ key: Schema.String, value: Schema.Union(Schema.String, Schema.Number) })
})
export type TemplateRow = typeof TemplateRow.Type

/** A committed example of one template. */
export const ExampleRow = Schema.Struct({
  lang: Schema.String,
  text: Schema.String,
  answer: Schema.String,
  kind: Schema.Literal("clear", "borderline", "lookalike")
})
export type ExampleRow = typeof ExampleRow.Type

/** A committed task with its texts, all asked the same; `about` fills the gap `{about}` of the question. */
export const OwnTask = Schema.Struct({
  type: Schema.Literal("choice", "noul"),
  question: Schema.String,
  /** Of a choice. */
  options: optional(strings),
  rows: Schema.Array(
    Schema.Struct({
      lang: Schema.optionalWith(Schema.String, { default: () => "en" }),
      text: Schema.String,
      answer: Schema.String,
      about: optional(Schema.String),
      /** What the text does, where a task tells. */
      kind: optional(Schema.String)
    })
  )
}).pipe(
  Schema.filter(({ type, options = [], rows }) => {
    const labels = type === "noul" ? ["yes", "no"] : options
    const odd = rows.find(({ answer }) => !labels.includes(answer))
    return odd === undefined ? undefined : `the answer to "${odd.text}" is none of the options`
  })
)
export type OwnTask = typeof OwnTask.Type

/** A committed text to moderate: of one category, or safe though it may not look it. */
export const ModerationRow = Schema.Struct({
  lang: Schema.String,
  text: Schema.String,
  category: Schema.NullOr(Category),
  form: Schema.Literal("plain", "implicit", "misspelt", "lookalike"),
  /** What a safe text is: news, fiction, … */
  kind: optional(Schema.String)
})
export type ModerationRow = typeof ModerationRow.Type
