import type { FlowFault } from "#schema/FlowFault"
import type { FlowGraph } from "#schema/FlowGraph"
import { branchRules } from "./Branches.ts"
import { planOf } from "./Plan.ts"
import type { Catalogue } from "./Question.ts"
import { shapeRules } from "./Shape.ts"

/** Faults that are told at a time: a graph may have more than anybody reads. */
const most = 100

/** What keeps a graph from being published, each with the node or edge it concerns, a hundred at most; none where it can be. */
export const check = (graph: FlowGraph, catalogue: Catalogue): ReadonlyArray<FlowFault> => {
  const plan = planOf(graph, catalogue)
  return [...shapeRules, ...branchRules].flatMap((rule) => rule(plan)).slice(0, most)
}
