import type { FlowFault } from "#schema/FlowFault"
import type { FlowGraph } from "#schema/FlowGraph"
import { branchRules } from "./Branches.ts"
import { planOf } from "./Plan.ts"
import type { Catalogue } from "./Question.ts"
import { shapeRules } from "./Shape.ts"

/** Everything that keeps a graph from being published, each with the node or edge it concerns; none where it can be. */
export const check = (graph: FlowGraph, catalogue: Catalogue): ReadonlyArray<FlowFault> => {
  const plan = planOf(graph, catalogue)
  return [...shapeRules, ...branchRules].flatMap((rule) => rule(plan))
}
