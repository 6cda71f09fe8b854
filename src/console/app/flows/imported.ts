import type { Content } from "./graph.ts"

const isRecord = (input: unknown): input is Record<string, unknown> =>
  typeof input === "object" && input !== null && !Array.isArray(input)

const isNode = (input: unknown) =>
  isRecord(input) &&
  typeof input.id === "string" &&
  ((input.kind === "ask" && typeof input.label === "string" && isRecord(input.ask)) ||
    (input.kind === "end" && typeof input.outcome === "string"))

const isCondition = (input: unknown) =>
  isRecord(input) &&
  Object.keys(input).length === 1 &&
  (typeof input.option === "string" ||
    input.answer === "yes" ||
    input.answer === "no" ||
    (Array.isArray(input.levels) &&
      input.levels.length > 0 &&
      input.levels.every((level) => typeof level === "string")) ||
    typeof input.confidence_below === "number" ||
    input.otherwise === true)

const isEdge = (input: unknown) =>
  isRecord(input) && [input.id, input.from, input.to].every((id) => typeof id === "string") && isCondition(input.when)

/** Enough of the format to draw it; the service says the rest when it is saved. */
const isDefinition = (input: unknown): input is Content["definition"] =>
  isRecord(input) &&
  input.schema === 1 &&
  (input.start === undefined || typeof input.start === "string") &&
  Array.isArray(input.nodes) &&
  input.nodes.every(isNode) &&
  Array.isArray(input.edges) &&
  input.edges.every(isEdge)

const notOurs =
  "This is JSON, but not a flow: a definition has schema 1, and nodes and edges as they are exported here."

/** What was exported here, or the bare definition that GET /v1/flows/{slug} answers; a sentence where it is neither. */
export const imported = (json: string, now: Content): Content | string => {
  try {
    const input: unknown = JSON.parse(json)
    if (isDefinition(input)) return { ...now, definition: input }
    if (!isRecord(input) || !isDefinition(input.definition)) return notOurs
    return {
      name: typeof input.name === "string" && input.name !== "" ? input.name : now.name,
      ...(typeof input.description === "string" ? { description: input.description } : {}),
      definition: input.definition
    }
  } catch {
    return "This is not valid JSON."
  }
}
