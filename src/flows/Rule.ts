import type { FlowFault } from "#schema/FlowFault"
import type { FlowNode } from "#schema/FlowGraph"
import type { Plan } from "./Plan.ts"

/** Something that a flow has to be, told as the faults of one that is not. */
export type Rule = (plan: Plan) => ReadonlyArray<FlowFault>

/** A fault at a node or an edge, or of the whole flow. */
export const fault = (
  code: FlowFault["code"],
  message: string,
  place: Omit<FlowFault, "code" | "message"> = {}
): FlowFault => ({ code, message, ...place })

/** A node as its author knows it. */
export const called = (node: FlowNode): string => {
  const name = node.kind === "ask" ? node.label : (node.label ?? node.outcome)
  return `'${name === "" ? node.id : name}'`
}

/** The first of some names, for a message. */
export const few = (names: ReadonlyArray<string>): string =>
  names.length <= 8 ? names.join(", ") : `${names.slice(0, 8).join(", ")} and ${names.length - 8} more`
