import { Schema } from "effect"

/** What a text is moderated for. */
export const Category = Schema.Literal(
  "harassment",
  "harassment/threatening",
  "hate",
  "hate/threatening",
  "illicit",
  "illicit/violent",
  "self-harm",
  "self-harm/intent",
  "self-harm/instructions",
  "sexual",
  "sexual/minors",
  "violence",
  "violence/graphic"
)
export type Category = typeof Category.Type
