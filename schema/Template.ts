import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { Authorization } from "./Authorization.ts"
import { UnavailableBody } from "./ErrorBodies.ts"
import { about, oneOf } from "./Field.ts"
import { QuestionType } from "./Question.ts"

/** The ready-made decisions. */
export const TemplateName = oneOf(
  "moderation",
  "spam",
  "support_intent",
  "routing",
  "sentiment",
  "priority",
  "prompt_injection",
  "pii",
  "language"
)
export type TemplateName = typeof TemplateName.Type

/** A ready-made decision as it is listed. */
export const Template = Schema.Struct({
  template: about(TemplateName, "What a request says in `template`."),
  name: Schema.String,
  description: about(Schema.String, "What it decides."),
  type: about(QuestionType, "How it is answered."),
  options: about(
    Schema.Array(Schema.String),
    "What it can answer: options, levels from the lowest, or `yes` and `no`."
  ),
  example: about(Schema.String, "A text to try.")
}).annotations({ identifier: "Template" })
export type Template = typeof Template.Type

/** The ready-made decisions; free. */
export class TemplatesApi extends HttpApiGroup.make("templates")
  .add(
    HttpApiEndpoint.get("listTemplates", "/templates").addSuccess(Schema.Struct({ templates: Schema.Array(Template) }))
  )
  .addError(UnavailableBody)
  .middleware(Authorization) {}
