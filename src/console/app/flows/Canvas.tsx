import {
  applyNodeChanges,
  Background,
  Controls,
  type Edge,
  MarkerType,
  type NodeChange,
  ReactFlow
} from "@xyflow/react"
import { useEffect, useState } from "react"
import type { FlowRun } from "#schema/Flow"
import type { FlowFault } from "#schema/FlowFault"
import type { FlowGraph } from "#schema/FlowGraph"
import { useShownTheme } from "../theme.ts"
import { type Catalogue, connect, exitsOf, removed, setEdge, titleOf, worded } from "./graph.ts"
import { type AskFlowNode, type EndFlowNode, nodeTypes } from "./nodes.tsx"

type DrawnNode = AskFlowNode | EndFlowNode

interface Drawing {
  readonly graph: FlowGraph
  readonly templates: Catalogue
  readonly faults: ReadonlyArray<FlowFault>
  readonly selection: ReadonlySet<string>
  readonly run: FlowRun | undefined
}

const kindNames: Record<string, string> = { choice: "Choice", yes_no: "Yes / no", score: "Score" }

const drawnNodes = ({ graph, templates, faults, selection, run }: Drawing): ReadonlyArray<DrawnNode> => {
  const walked = new Set(run === undefined ? [] : [...run.steps.map(({ step }) => step), run.ended_at])
  return graph.nodes.map((node) => {
    const common = {
      id: node.id,
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

const drawnEdges = ({ graph, templates, faults, selection, run }: Drawing): Array<Edge> => {
  const followed = new Set(run?.steps.map((step) => step.followed))
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]))
  const handles = new Map(
    graph.nodes.flatMap((node) =>
      node.kind === "ask"
        ? exitsOf(graph, node, templates).flatMap((exit) =>
            exit.edge === undefined ? [] : [[exit.edge.id, exit.id] as const]
          )
        : []
    )
  )
  const title = (id: string) => {
    const node = nodes.get(id)
    return node === undefined ? id : titleOf(node)
  }
  return graph.edges
    .filter(({ id, from, to }) => handles.has(id) && nodes.has(from) && nodes.has(to))
    .map(({ id, from, to, when }) => {
      const broken = faults.filter((fault) => fault.edge === id)
      const state = broken.length > 0 ? "faulty" : followed.has(id) ? "lit" : run === undefined ? "" : "dim"
      return {
        id,
        source: from,
        sourceHandle: handles.get(id) ?? null,
        target: to,
        selected: selection.has(id),
        className: state,
        animated: state === "lit",
        ariaLabel: `${title(from)}, ${worded(when)}: to ${title(to)}`,
        markerEnd: { type: MarkerType.ArrowClosed, color: "context-stroke" },
        ...(broken[0] === undefined ? {} : { label: "!", labelShowBg: true })
      }
    })
}

/** The flow as it is drawn; everything that is done here can be done in the side panel too. */
export const Canvas = ({
  onChange,
  onSelect,
  ...drawing
}: Drawing & {
  readonly onChange: (to: (graph: FlowGraph) => FlowGraph, topic?: string) => void
  readonly onSelect: (to: (selection: ReadonlySet<string>) => ReadonlySet<string>) => void
}) => {
  const { graph, templates, faults, selection, run } = drawing
  const [nodes, setNodes] = useState<Array<DrawnNode>>(() => [...drawnNodes(drawing)])
  const theme = useShownTheme()

  useEffect(() => {
    setNodes((old) => {
      const known = new Map(old.map((node) => [node.id, node]))
      return drawnNodes({ graph, templates, faults, selection, run }).map((node): DrawnNode => {
        const measured = known.get(node.id)?.measured
        return measured === undefined ? node : { ...node, measured }
      })
    })
  }, [graph, templates, faults, selection, run])

  const marked = (
    changes: ReadonlyArray<{ readonly type: string; readonly id?: string; readonly selected?: boolean }>
  ) => {
    const picked = changes.filter(({ type }) => type === "select")
    if (picked.length === 0) return
    onSelect((before) => {
      const after = new Set(before)
      for (const { id = "", selected } of picked) {
        if (selected === true) after.add(id)
        else after.delete(id)
      }
      return after
    })
  }

  const nodesChanged = (changes: Array<NodeChange<DrawnNode>>) => {
    setNodes((now) =>
      applyNodeChanges(
        changes.filter(({ type }) => type !== "remove"),
        now
      )
    )
    marked(changes)
    const moves = new Map(
      changes.flatMap((one) =>
        one.type === "position" && one.dragging !== true && one.position !== undefined
          ? [[one.id, one.position] as const]
          : []
      )
    )
    const moved = graph.nodes.filter(({ id, x, y }) => {
      const to = moves.get(id)
      return to !== undefined && (Math.round(to.x) !== x || Math.round(to.y) !== y)
    })
    if (moved.length === 0) return
    onChange(
      (now) => ({
        ...now,
        nodes: now.nodes.map((node) => {
          const to = moves.get(node.id)
          return to === undefined ? node : { ...node, x: Math.round(to.x), y: Math.round(to.y) }
        })
      }),
      `move ${[...moves.keys()].join(" ")}`
    )
  }

  const join = (from: string, handle: string | null, to: string) => {
    const node = graph.nodes.find(({ id }) => id === from)
    if (node?.kind !== "ask" || from === to) return
    const exit = exitsOf(graph, node, templates).find(({ id }) => id === handle)
    if (exit === undefined) return
    onChange((now) =>
      exit.edge === undefined ? connect(now, from, to, exit.when)[0] : setEdge(now, exit.edge.id, { to })
    )
  }

  return (
    <ReactFlow
      nodes={nodes}
      edges={drawnEdges(drawing)}
      nodeTypes={nodeTypes}
      colorMode={theme}
      fitView
      fitViewOptions={{ padding: 0.12, maxZoom: 1 }}
      minZoom={0.2}
      maxZoom={1.6}
      deleteKeyCode={["Delete", "Backspace"]}
      onNodesChange={nodesChanged}
      onEdgesChange={marked}
      onConnect={({ source, sourceHandle, target }) => join(source, sourceHandle, target)}
      onDelete={({ nodes: gone, edges }) =>
        onChange((now) => removed(now, new Set([...gone, ...edges].map(({ id }) => id))))
      }
      connectionRadius={32}
      proOptions={{ hideAttribution: true }}
      aria-label="Drawing of the flow"
    >
      <Background gap={22} size={1.2} />
      <Controls showInteractive={false} />
    </ReactFlow>
  )
}
