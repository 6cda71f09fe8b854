import { applyNodeChanges, Background, Controls, type NodeChange, ReactFlow } from "@xyflow/react"
import { useEffect, useState } from "react"
import type { FlowGraph } from "#schema/FlowGraph"
import { useShownTheme } from "../theme.ts"
import { dialogOpen } from "../ui/Dialog.tsx"
import { type Drawing, type DrawnNode, drawnEdges, drawnNodes } from "./drawing.ts"
import { drawnId, idOf } from "./drawnId.ts"
import { edgeTypes } from "./edges.tsx"
import { connect, exitsOf, removed, setEdge } from "./graph.ts"
import { nodeTypes } from "./nodes.tsx"

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
        if (selected === true) after.add(idOf(id))
        else after.delete(idOf(id))
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
          ? [[idOf(one.id), one.position] as const]
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
    const exit = exitsOf(graph, node, templates).find(({ id }) => drawnId(id) === handle)
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
      edgeTypes={edgeTypes}
      colorMode={theme}
      fitViewOptions={{ padding: 0.06, maxZoom: 1 }}
      minZoom={0.2}
      maxZoom={1.6}
      deleteKeyCode={["Delete", "Backspace"]}
      onNodesChange={nodesChanged}
      onEdgesChange={marked}
      onConnect={({ source, sourceHandle, target }) => join(idOf(source), sourceHandle, idOf(target))}
      onBeforeDelete={async () => !dialogOpen()}
      onDelete={({ nodes: gone, edges }) =>
        onChange((now) => removed(now, new Set([...gone, ...edges].map(({ id }) => idOf(id)))))
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
