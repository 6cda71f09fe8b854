import type { FlowGraph } from "#schema/FlowGraph"
import { type Content, titleOf, worded } from "./graph.ts"

/** One difference between two states of a flow. */
export interface Change {
  readonly sign: "+" | "−" | "~"
  readonly what: string
}

const bare = <A extends { readonly x?: number; readonly y?: number }>({ x: _x, y: _y, ...rest }: A) =>
  JSON.stringify(rest)

const compared = <A extends { readonly id: string }>(
  before: ReadonlyArray<A>,
  after: ReadonlyArray<A>,
  words: (item: A, graph: "before" | "after") => string,
  same: (a: A, b: A) => boolean
): ReadonlyArray<Change> => {
  const old = new Map(before.map((item) => [item.id, item]))
  const now = new Set(after.map(({ id }) => id))
  return [
    ...after.flatMap((item): ReadonlyArray<Change> => {
      const was = old.get(item.id)
      if (was === undefined) return [{ sign: "+", what: words(item, "after") }]
      return same(was, item) ? [] : [{ sign: "~", what: words(item, "after") }]
    }),
    ...before.filter(({ id }) => !now.has(id)).map((item): Change => ({ sign: "−", what: words(item, "before") }))
  ]
}

const namesOf = (graph: FlowGraph) => new Map(graph.nodes.map((node) => [node.id, titleOf(node)]))

/** What publishing changes, in words; where things are drawn does not count. */
export const changes = (before: Content | undefined, after: Content): ReadonlyArray<Change> => {
  const old = before ?? { name: after.name, definition: { schema: 1, nodes: [], edges: [] } satisfies FlowGraph }
  const names = { before: namesOf(old.definition), after: namesOf(after.definition) }
  const title = (graph: "before" | "after", id: string) => names[graph].get(id) ?? id
  return [
    ...(old.name === after.name ? [] : [{ sign: "~", what: `Name: ${after.name}` } as const]),
    ...(before === undefined || (old.description ?? "") === (after.description ?? "")
      ? []
      : [{ sign: "~", what: "Description" } as const]),
    ...(before === undefined || old.definition.start === after.definition.start
      ? []
      : [{ sign: "~", what: `Start: ${title("after", after.definition.start ?? "")}` } as const]),
    ...compared(
      old.definition.nodes,
      after.definition.nodes,
      (node) => `${node.kind === "ask" ? "Question" : "Outcome"} “${titleOf(node)}”`,
      (a, b) => bare(a) === bare(b)
    ),
    ...compared(
      old.definition.edges,
      after.definition.edges,
      ({ from, to, when }, graph) => `${title(graph, from)} — ${worded(when)} → ${title(graph, to)}`,
      (a, b) => JSON.stringify(a) === JSON.stringify(b)
    )
  ]
}
