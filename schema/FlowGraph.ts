import { Schema } from "effect"
import { boolean, fits, list, name, number, optional, request, ruled, string, text } from "./Field.ts"
import { Limits } from "./Limits.ts"

const limits = Limits.flow
const id = name(limits.id)

/** Where a node is drawn; means nothing to a run. */
const position = { x: optional(number), y: optional(number) }

/**
 * What a node asks: a `DecisionSpec`. A draft may hold one that is not finished, so only the types of its fields are
 * settled here; publishing demands a whole one.
 */
export const Ask = request("FlowAsk", {
  template: optional(string),
  type: optional(string),
  question: optional(text(Limits.question)),
  options: optional(Schema.Unknown),
  model: optional(string),
  lang: optional(string),
  cache: optional(boolean)
})
export type Ask = typeof Ask.Type

/** A node that asks a question about the text. */
export const AskNode = request("FlowAskNode", {
  id,
  kind: Schema.Literal("ask"),
  label: text(limits.name),
  ask: Ask,
  ...position
})
export type AskNode = typeof AskNode.Type

/** A node at which a run ends, with its outcome. */
export const EndNode = request("FlowEndNode", {
  id,
  kind: Schema.Literal("end"),
  outcome: text(limits.name),
  label: optional(text(limits.name)),
  ...position
})
export type EndNode = typeof EndNode.Type

/** What a way through a flow comes to: a question, or an end. */
export const FlowNode = Schema.Union(AskNode, EndNode)
export type FlowNode = typeof FlowNode.Type

const only = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(fields).annotations({ parseOptions: { onExcessProperty: "error" } })

/**
 * When an edge is taken. Of the edges that leave a node, one is followed:
 * 1. `confidence_below`, where the answer's confidence is below the threshold; of several the lowest threshold;
 * 2. else the edge that names the answer: `option` of a choice, `answer` of a yes/no, `levels` of a score;
 * 3. else `otherwise`.
 */
export const Condition = Schema.Union(
  only({ option: Schema.String }),
  only({ answer: Schema.Literal("yes", "no") }),
  only({ levels: list(Schema.String, 1, Limits.options.most) }),
  only({ confidence_below: Schema.Number.pipe(Schema.greaterThan(0), Schema.lessThanOrEqualTo(1)) }),
  only({ otherwise: Schema.Literal(true) })
).annotations({
  identifier: "FlowCondition",
  message: () => ({
    message:
      "value_error: Value error, a condition has one of 'option' (a name), 'answer' ('yes' or 'no'), 'levels' (a list of names), 'confidence_below' (above 0, at most 1) or 'otherwise' (true)",
    override: true
  })
})
export type Condition = typeof Condition.Type

/** A way from a question to the next node. */
export const FlowEdge = request("FlowEdge", { id, from: id, to: id, when: Condition })
export type FlowEdge = typeof FlowEdge.Type

/**
 * A flow as it is drawn: a run begins at the question `start`, follows one edge per answer and ends at an end.
 * It may be unfinished; publishing demands one start, no cycle, every node reachable, a question with a text at every
 * node that asks, a way on for every answer, an outcome at every end, and at most 32 questions on the longest way.
 */
export const FlowGraph = ruled(
  request("FlowGraph", {
    schema: Schema.Literal(1).annotations({
      description: "Version of this format.",
      message: () => ({ message: "literal_error: Input should be 1", override: true })
    }),
    start: optional(id).annotations({ description: "Id of the question that a run begins with." }),
    nodes: list(FlowNode, 0, limits.nodes).annotations({
      description:
        'Questions, `{id, kind: "ask", label, ask}`, of which `ask` is asked as by POST /v1/decide; and ends, `{id, kind: "end", outcome, label}`. `x` and `y` say where they are drawn.'
    }),
    edges: list(FlowEdge, 0, limits.edges).annotations({
      description:
        "Ways on, `{id, from, to, when}`. Of those that leave a question one is followed: `when: {confidence_below}` where the confidence is below it, of several the lowest; else the one that names the answer, `{option}`, `{answer}` (yes or no) or `{levels}`; else `{otherwise: true}`."
    })
  }),
  (graph) =>
    fits(JSON.stringify(graph), limits.definition)
      ? undefined
      : `a definition should have at most ${limits.definition} characters, written as JSON`
)
export type FlowGraph = typeof FlowGraph.Type
