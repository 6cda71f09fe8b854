import type { Ask } from "#schema/FlowGraph"
import type { Kind } from "./graph.ts"

/** Where a question comes from. */
export type Source = "own" | "template"

/** What a question asked before it was asked in another way; the arrow keys pass through all of them. */
export interface Aside {
  readonly own?: Ask
  readonly template?: string
  readonly options?: unknown
}

/** Where a question comes from as it is asked now. */
export const sourceOf = ({ template }: Ask): Source => (template === undefined ? "own" : "template")

/** What is laid aside when a question is asked in another way; its model and its language stay with it. */
export const laidAside = (aside: Aside, { model: _model, lang: _lang, ...ask }: Ask): Aside => ({
  ...aside,
  ...(ask.template === undefined ? { own: ask } : { template: ask.template }),
  ...(ask.options === undefined ? {} : { options: ask.options })
})

/** The question with another type of answer, with the options that it had. */
export const retyped = ({ options, ...ask }: Ask, type: Kind, aside: Aside): Ask =>
  type === "yes_no" ? { ...ask, type } : { ...ask, type, options: options ?? aside.options ?? ["", ""] }

/** The question from another source, as it was there. */
export const resourced = ({ model, lang }: Ask, source: Source, { own, template }: Aside): Ask => ({
  ...(source === "own" ? (own ?? { type: "yes_no", question: "" }) : { template: template ?? "support_intent" }),
  ...(model === undefined ? {} : { model }),
  ...(lang === undefined ? {} : { lang })
})
