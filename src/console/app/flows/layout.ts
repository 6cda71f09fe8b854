import type { FlowGraph } from "#schema/FlowGraph"
import { type Catalogue, exitsOf } from "./graph.ts"

/** The width at which every node is drawn. */
export const nodeWidth = 232
const headHeight = 58
const rowHeight = 26
const column = nodeWidth + 84
const gap = 28

/** The height at which a node is drawn. */
export const heightOf = (graph: FlowGraph, id: string, templates: Catalogue): number => {
  const node = graph.nodes.find((one) => one.id === id)
  return node?.kind === "ask" ? headHeight + rowHeight * exitsOf(graph, node, templates).length + 8 : 56
}

/** How many questions lie before each node, at most; nodes in a circle stop counting at the number of nodes. */
const columns = (graph: FlowGraph): ReadonlyMap<string, number> => {
  const found = new Map(graph.nodes.map(({ id }) => [id, 0]))
  for (let round = 0; round < graph.nodes.length; round++) {
    let moved = false
    for (const { from, to } of graph.edges) {
      const next = (found.get(from) ?? 0) + 1
      if (next > (found.get(to) ?? 0) && next < graph.nodes.length) {
        found.set(to, next)
        moved = true
      }
    }
    if (!moved) break
  }
  return found
}

/**
 * The same graph, drawn tidily: a column for each number of questions before, in each column the nodes in the order
 * of the exits that lead to them, so that ways rarely cross.
 */
export const tidied = (graph: FlowGraph, templates: Catalogue): FlowGraph => {
  const columnOf = columns(graph)
  const exitPlace = new Map(
    graph.nodes.flatMap((node) =>
      node.kind === "ask"
        ? exitsOf(graph, node, templates).flatMap(({ edge }, i) => (edge === undefined ? [] : [[edge.id, i] as const]))
        : []
    )
  )
  const places = new Map<string, { readonly x: number; readonly y: number }>()
  const last = Math.max(0, ...columnOf.values())
  for (let at = 0; at <= last; at++) {
    const wish = (id: string) => {
      const from = graph.edges.filter((edge) => edge.to === id && places.has(edge.from))
      const heights = from.map(
        (edge) => (places.get(edge.from)?.y ?? 0) + headHeight + rowHeight * (exitPlace.get(edge.id) ?? 0)
      )
      return heights.length === 0 ? 0 : heights.reduce((sum, y) => sum + y, 0) / heights.length
    }
    const members = graph.nodes.filter(({ id }) => columnOf.get(id) === at).sort((a, b) => wish(a.id) - wish(b.id))
    const heights = members.map(({ id }) => heightOf(graph, id, templates))
    const total = heights.reduce((sum, height) => sum + height + gap, -gap)
    const middle = members.length === 0 ? 0 : members.reduce((sum, { id }) => sum + wish(id), 0) / members.length
    let y = at === 0 ? 0 : middle - total / 2
    members.forEach(({ id }, i) => {
      places.set(id, { x: at * column, y: Math.round(y) })
      y += (heights[i] ?? 0) + gap
    })
  }
  return { ...graph, nodes: graph.nodes.map((node) => ({ ...node, ...places.get(node.id) })) }
}

/** A graph with nodes that have no place yet is tidied; others stay as they were drawn. */
export const placed = (graph: FlowGraph, templates: Catalogue): FlowGraph =>
  graph.nodes.some(({ x, y }) => x === undefined || y === undefined) ? tidied(graph, templates) : graph

/** A free spot to the right of a node, or of everything. */
export const spotAfter = (graph: FlowGraph, id: string | undefined) => {
  const node = graph.nodes.find((one) => one.id === id)
  const x =
    node === undefined ? Math.max(0, ...graph.nodes.map((one) => (one.x ?? 0) + column)) : (node.x ?? 0) + column
  const wished = node?.y ?? 0
  const inColumn = graph.nodes.filter((one) => Math.abs((one.x ?? 0) - x) < nodeWidth)
  let y = wished
  while (inColumn.some((one) => Math.abs((one.y ?? 0) - y) < 90)) y += 100
  return { x: graph.nodes.length === 0 ? 0 : x, y }
}
