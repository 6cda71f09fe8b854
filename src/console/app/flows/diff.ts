import type { Ask, FlowEdge, FlowGraph, FlowNode } from "#schema/FlowGraph"
import { type Content, titleOf, worded } from "./graph.ts"
import { namesOf } from "./options.ts"

/** One difference between two states of a flow. */
export interface Change {
  readonly sign: "+" | "−" | "~"
  readonly what: string
}

/** A name that reads in its own direction and turns nothing around it. */
const isolated = (name: string) => `\u2068${name}\u2069`

// What is drawn here may have its fields in another order than what was read back.
const inOrder = (fields: object) => Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))

const bare = ({ x: _x, y: _y, ...rest }: FlowNode) =>
  JSON.stringify(inOrder(rest.kind === "ask" ? { ...rest, ask: inOrder(rest.ask) } : rest))

const compared = <A extends { readonly id: string }>(
  before: ReadonlyArray<A>,
  after: ReadonlyArray<A>,
  words: (item: A, graph: "before" | "after") => string,
  changed: (was: A, is: A) => string | undefined
): ReadonlyArray<Change> => {
  const old = new Map(before.map((item) => [item.id, item]))
  const now = new Set(after.map(({ id }) => id))
  return [
    ...after.flatMap((item): ReadonlyArray<Change> => {
      const was = old.get(item.id)
      if (was === undefined) return [{ sign: "+", what: words(item, "after") }]
      const how = changed(was, item)
      return how === undefined ? [] : [{ sign: "~", what: `${words(item, "after")}${how}` }]
    }),
    ...before.filter(({ id }) => !now.has(id)).map((item): Change => ({ sign: "−", what: words(item, "before") }))
  ]
}

const titlesOf = (graph: FlowGraph) => new Map(graph.nodes.map((node) => [node.id, titleOf(node)]))

const optionsChange = (was: Ask, is: Ask): string => {
  const [old, now] = [namesOf(was.options), namesOf(is.options)]
  const named = [
    ...now.filter((name) => !old.includes(name)).map((name) => `+ ${isolated(name)}`),
    ...old.filter((name) => !now.includes(name)).map((name) => `− ${isolated(name)}`)
  ]
  return named.length === 0 ? "options described or ordered otherwise" : `options ${named.join(", ")}`
}

const plain = [
  ["template", "template"],
  ["type", "type"],
  ["question", "question"],
  ["model", "model"],
  ["lang", "language"]
] as const

const askChanges = (was: Ask, is: Ask): ReadonlyArray<string> => [
  ...plain.flatMap(([field, name]) =>
    was[field] === is[field] ? [] : [`${name} “${isolated(was[field] ?? "–")}” → “${isolated(is[field] ?? "–")}”`]
  ),
  ...(JSON.stringify(was.options) === JSON.stringify(is.options) ? [] : [optionsChange(was, is)])
]

/** What became of a node, in words; undefined where nothing did that counts. */
const nodeChange = (was: FlowNode, is: FlowNode): string | undefined => {
  if (bare(was) === bare(is)) return undefined
  const told = [
    ...(titleOf(was) === titleOf(is) ? [] : [`was “${isolated(titleOf(was))}”`]),
    ...(was.kind === "ask" && is.kind === "ask" ? askChanges(was.ask, is.ask) : [])
  ]
  return told.length === 0 ? "" : `: ${told.join("; ")}`
}

/** What publishing changes, in words; where things are drawn does not count. */
export const changes = (before: Content | undefined, after: Content): ReadonlyArray<Change> => {
  const old = before ?? { name: after.name, definition: { schema: 1, nodes: [], edges: [] } satisfies FlowGraph }
  const names = { before: titlesOf(old.definition), after: titlesOf(after.definition) }
  const title = (graph: "before" | "after", id: string) => names[graph].get(id) ?? id
  const way = ({ from, to, when }: FlowEdge, graph: "before" | "after") =>
    `${isolated(title(graph, from))} — ${isolated(worded(when))} → ${isolated(title(graph, to))}`
  return [
    ...(old.name === after.name ? [] : [{ sign: "~", what: `Name: ${isolated(after.name)}` } as const]),
    ...(before === undefined || (old.description ?? "") === (after.description ?? "")
      ? []
      : [{ sign: "~", what: "Description" } as const]),
    ...(before === undefined || old.definition.start === after.definition.start
      ? []
      : [{ sign: "~", what: `Start: ${isolated(title("after", after.definition.start ?? ""))}` } as const]),
    ...compared(
      old.definition.nodes,
      after.definition.nodes,
      (node) => `${node.kind === "ask" ? "Question" : "Outcome"} “${isolated(titleOf(node))}”`,
      nodeChange
    ),
    ...compared(old.definition.edges, after.definition.edges, way, (was, is) =>
      JSON.stringify(was) === JSON.stringify(is) ? undefined : `, was ${way(was, "before")}`
    )
  ]
}
