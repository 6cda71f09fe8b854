import type { DecisionSpec } from "#schema/Decision"
import type { Option, QuestionType } from "#schema/Question"
import type { TemplateSpec } from "./Templates.ts"

/** What is asked of a text, whether a template's question or the caller's own. */
export interface Asked {
  readonly type: QuestionType
  readonly question: string
  readonly options: ReadonlyArray<Option>
}

const yesOrNo: ReadonlyArray<Option> = [
  { name: "yes", description: null },
  { name: "no", description: null }
]

/** Reads specs that may name one of these templates. */
export const askedOf =
  (templates: ReadonlyArray<TemplateSpec>) =>
  ({ template, type = "choice", question = "", options = yesOrNo }: DecisionSpec): Asked =>
    templates.find((known) => known.template === template) ?? { type, question, options }
