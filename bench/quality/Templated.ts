import { Schema } from "effect"
import { TemplateName } from "#schema/Template"
import type { TemplateSpec } from "#src/decisions/Templates"
import type { Asked, Case } from "./Case.ts"
import type { ExampleRow, TemplateRow } from "./Row.ts"

const isTemplate = Schema.is(TemplateName)

const asked = (
  templates: ReadonlyArray<TemplateSpec>,
  template: string,
  answer: string | number,
  about: Pick<Asked, "family" | "lang" | "kind">
): ReadonlyArray<Asked> => {
  const spec = templates.find((known) => known.template === template)
  if (spec === undefined || !isTemplate(template)) return []
  const type = spec.type === "yes_no" ? "noul" : spec.type
  const options = spec.options.map(({ name, description }) => (description === null ? { name } : { name, description }))
  const labels = options.map(({ name }) => name)
  const place = typeof answer === "string" ? labels.indexOf(answer) : type === "noul" ? (answer >= 0.5 ? 0 : 1) : answer
  if (place < 0) return []
  const level = type === "score" ? { level: place } : {}
  return [
    {
      ...about,
      ...level,
      set: template,
      task: template,
      question: { type, wording: spec.question, options },
      answer: place,
      labels,
      template
    }
  ]
}

/** A text of a data folder that several templates are asked about. */
export const templateCase = (templates: ReadonlyArray<TemplateSpec>, { text, lang, t }: TemplateRow): Case => ({
  state: text,
  asked: Object.entries(t).flatMap(([name, answer]) => asked(templates, name, answer, { family: "templates", lang }))
})

/** A committed example of a template. */
export const exampleCase = (
  templates: ReadonlyArray<TemplateSpec>,
  template: string,
  { text, lang, kind, answer }: ExampleRow
): Case => ({ state: text, asked: asked(templates, template, answer, { family: "examples", lang, kind }) })
