import { Effect, Schema } from "effect"
import type { AskNode, Condition, EndNode, FlowEdge, FlowGraph } from "#schema/FlowGraph"

/** The answers that a condition names. */
export const namedBy = (when: Condition): ReadonlyArray<string> => {
  if ("option" in when) return [when.option]
  if ("answer" in when) return [when.answer]
  return "levels" in when ? when.levels : []
}

const threshold = ({ when }: FlowEdge): number => ("confidence_below" in when ? when.confidence_below : 0)

/** Of the edges that leave a node, the one that its answer follows: see `Condition` for which goes first. */
export const follow = (edges: ReadonlyArray<FlowEdge>, answer: string, confidence: number): FlowEdge | undefined => {
  const [unsure] = edges.filter((edge) => confidence < threshold(edge)).sort((a, b) => threshold(a) - threshold(b))
  return (
    unsure ?? edges.find(({ when }) => namedBy(when).includes(answer)) ?? edges.find(({ when }) => "otherwise" in when)
  )
}

/** A step of a walk: the answer that was given at a node, and the edge that it followed. */
export interface Taken<A> {
  readonly node: AskNode
  readonly answer: A
  readonly edge: FlowEdge
}

/** The graph has no way on from where the walk has come to; a graph without faults never has this. */
export class Astray extends Schema.TaggedError<Astray>()("Astray", { node: Schema.String }) {}

interface Answer {
  readonly answer: string
  readonly confidence: number
}

/** Goes from the start to an end, asking at every question on the way and nowhere else. */
export const walk = Effect.fnUntraced(function* <A extends Answer, E, R>(
  graph: FlowGraph,
  ask: (node: AskNode) => Effect.Effect<A, E, R>
) {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]))
  const steps: Array<Taken<A>> = []
  let at = graph.start ?? ""
  while (steps.length <= graph.nodes.length) {
    const node = nodes.get(at)
    if (node === undefined) break
    if (node.kind === "end") return { end: node satisfies EndNode, steps }
    const answer = yield* ask(node)
    const edge = follow(
      graph.edges.filter(({ from }) => from === at),
      answer.answer,
      answer.confidence
    )
    if (edge === undefined) break
    steps.push({ node, answer, edge })
    at = edge.to
  }
  return yield* new Astray({ node: at })
})
