import { MarkerType } from "@xyflow/react"
import type { FlowRun } from "#schema/Flow"
import type { FlowFault } from "#schema/FlowFault"
import type { FlowGraph } from "#schema/FlowGraph"
import { drawnId } from "./drawnId.ts"
import type { WayEdge } from "./edges.tsx"
import { type Catalogue, exitsOf, titleOf, worded } from "./graph.ts"
import { heightOf, nodeWidth } from "./layout.ts"
import type { AskFlowNode, EndFlowNode } from "./nodes.tsx"

/** A node as the canvas takes it. */
export type DrawnNode = AskFlowNode | EndFlowNode

/** What there is to draw. */
export interface Drawing {
  readonly graph: FlowGraph
  readonly templates: Catalogue
  readonly faults: ReadonlyArray<FlowFault>
  readonly selection: ReadonlySet<string>
  readonly run: FlowRun | undefined
}

const kindNames: Record<string, string> = { choice: "Choice", yes_no: "Yes / no", score: "Score" }

/** The nodes as the canvas takes them, with what is wrong with them and what a run did there. */
export const drawnNodes = ({ graph, templates, faults, selection, run }: Drawing): ReadonlyArray<DrawnNode> => {
  const walked = new Set(run === undefined ? [] : [...run.steps.map(({ step }) => step), run.ended_at])
  return graph.nodes.map((node) => {
    const common = {
      id: drawnId(node.id),
      position: { x: node.x ?? 0, y: node.y ?? 0 },
      selected: selection.has(node.id),
      ariaLabel: `${node.kind === "ask" ? "Question" : "Outcome"} ${titleOf(node)}`
    }
    const marks = {
      faults: faults
        .filter((fault) => fault.node === node.id && fault.edge === undefined)
        .map(({ message }) => message),
      lit: walked.has(node.id),
      dim: run !== undefined && !walked.has(node.id)
    }
    if (node.kind === "end") return { ...common, type: "end", data: { ...marks, node } }
    return {
      ...common,
      type: "ask",
      data: {
        ...marks,
        node,
        asks:
          node.ask.template === undefined
            ? (kindNames[node.ask.type ?? ""] ?? "Question")
            : (templates.get(node.ask.template)?.name ?? node.ask.template),
        exits: exitsOf(graph, node, templates),
        start: graph.start === node.id,
        step: run?.steps.find(({ step }) => step === node.id)
      }
    }
  })
}

/** The ways as the canvas takes them; one that hangs in the air is not drawn. */
export const drawnEdges = ({ graph, templates, faults, selection, run }: Drawing): Array<WayEdge> => {
  const followed = new Set(run?.steps.map((step) => step.followed))
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]))
  const handles = new Map(
    graph.nodes.flatMap((node) =>
      node.kind === "ask"
        ? exitsOf(graph, node, templates).flatMap((exit) =>
            exit.edge === undefined ? [] : [[exit.edge.id, drawnId(exit.id)] as const]
          )
        : []
    )
  )
  const title = (id: string) => {
    const node = nodes.get(id)
    return node === undefined ? id : titleOf(node)
  }
  const boxes = graph.nodes.map(({ id, x = 0, y = 0 }) => ({
    id,
    box: { x, y, width: nodeWidth, height: heightOf(graph, id, templates) }
  }))
  return graph.edges
    .filter(({ id, from, to }) => handles.has(id) && nodes.has(from) && nodes.has(to))
    .map(({ id, from, to, when }) => {
      const broken = faults.filter((fault) => fault.edge === id)
      const state = broken.length > 0 ? "faulty" : followed.has(id) ? "lit" : run === undefined ? "" : "dim"
      return {
        id: drawnId(id),
        type: "way",
        data: { boxes: boxes.filter((one) => one.id !== from && one.id !== to).map(({ box }) => box) },
        source: drawnId(from),
        sourceHandle: handles.get(id) ?? null,
        target: drawnId(to),
        selected: selection.has(id),
        className: state,
        animated: state === "lit",
        ariaLabel: `${title(from)}, ${worded(when)}: to ${title(to)}`,
        markerEnd: { type: MarkerType.ArrowClosed, color: "context-stroke" },
        ...(broken[0] === undefined ? {} : { label: "!", labelShowBg: true })
      }
    })
}
