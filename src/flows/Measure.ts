import type { FlowGraph } from "#schema/FlowGraph"
import { longestWay, planOf } from "./Plan.ts"
import type { Catalogue } from "./Question.ts"

/** What is told of a flow without its definition, and what a run of it reserves. */
export interface Measure {
  readonly questions: number
  readonly outcomes: ReadonlyArray<string>
  /** Questions on the longest way. */
  readonly longestPath: number
}

/** Of a graph without faults. */
export const measure = (graph: FlowGraph, catalogue: Catalogue): Measure => ({
  questions: graph.nodes.filter(({ kind }) => kind === "ask").length,
  outcomes: [...new Set(graph.nodes.flatMap((node) => (node.kind === "end" ? [node.outcome] : [])))],
  longestPath: longestWay(planOf(graph, catalogue), graph.start ?? "").length
})
