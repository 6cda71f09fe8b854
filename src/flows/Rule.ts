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

/** A name as a message holds it: 40 characters of it at most. */
const short = (name: string) => (name.length <= 40 ? name : `${name.slice(0, 39).toWellFormed()}…`)

/** The first of some names, for a message. */
export const few = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, 8).map(short).join(", ")
  return names.length <= 8 ? shown : `${shown} and ${names.length - 8} more`
}
