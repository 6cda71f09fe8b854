import type { FlowEdge, FlowGraph } from "#schema/FlowGraph"
import { leaving, namedBy, removed, setEdge } from "./graph.ts"

/** The levels that a way takes, of those that there are, in their order. */
export const levelsOf = ({ when }: FlowEdge, order: ReadonlyArray<string>): ReadonlyArray<string> =>
  order.filter((level) => namedBy(when).includes(level))

/** Gives a level to one way and takes it from the others, or takes it from this one, unless it is its last. */
export const withLevel = (
  graph: FlowGraph,
  edge: FlowEdge,
  level: string,
  on: boolean,
  order: ReadonlyArray<string>
): FlowGraph => {
  const levels = order.filter((name) => (name === level ? on : namedBy(edge.when).includes(name)))
  if (levels.length === 0) return graph
  const others = leaving(graph, edge.from).filter(
    ({ id, when }) => id !== edge.id && "levels" in when && when.levels.includes(level)
  )
  const emptied = others.filter(({ when }) => namedBy(when).length === 1).map(({ id }) => id)
  const shrunk = others
    .filter(({ id }) => !emptied.includes(id))
    .reduce(
      (now, { id, when }) => setEdge(now, id, { when: { levels: namedBy(when).filter((name) => name !== level) } }),
      graph
    )
  return setEdge(removed(shrunk, new Set(emptied)), edge.id, { when: { levels } })
}
