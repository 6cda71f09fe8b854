import { Option, Schema } from "effect"
import { FlowContent, type FlowDraft } from "#schema/FlowDraft"
import type { Content } from "./graph.ts"

/** What is drawn of a stored draft. */
export const contentOf = ({ name, description, definition }: FlowDraft): Content => ({
  name,
  ...(description === null ? {} : { description }),
  definition
})

// What is drawn here may have its fields in another order than what was read back; the order of options counts.
const written = Schema.encodeOption(Schema.parseJson(FlowContent))

/** Whether two contents are one and the same to the service. */
export const sameContent = (one: Content, other: Content): boolean =>
  Option.zipWith(written(one), written(other), (a, b) => a === b).pipe(Option.getOrElse(() => false))

/** Whether a draft that has moved on holds what this window has sent or read before, and nobody else's work. */
export const isOwn = (draft: FlowDraft, own: ReadonlyArray<Content>): boolean =>
  own.some((content) => sameContent(content, contentOf(draft)))
