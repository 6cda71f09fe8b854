import type { TemplateCard } from "#schema/console/Catalogue"
import type { FlowContent } from "#schema/FlowDraft"
import type { AskNode, Condition, EndNode, FlowEdge, FlowGraph, FlowNode } from "#schema/FlowGraph"
import { namesOf } from "./options.ts"

/** The templates by their names. */
export type Catalogue = ReadonlyMap<string, TemplateCard>

/** How a question is answered. */
export type Kind = "choice" | "yes_no" | "score"

/** How a node's question is answered, and every answer there can be; undefined while it cannot be told. */
export const answersOf = (
  { ask }: AskNode,
  templates: Catalogue
): { readonly kind: Kind; readonly answers: ReadonlyArray<string> } | undefined => {
  if (ask.template !== undefined) {
    const template = templates.get(ask.template)
    return template === undefined
      ? undefined
      : { kind: template.type, answers: template.options.map(({ name }) => name) }
  }
  if (ask.type === "yes_no") return { kind: "yes_no", answers: ["yes", "no"] }
  if (ask.type !== "choice" && ask.type !== "score") return undefined
  // While options are being written, some have no name yet, or that of another.
  return { kind: ask.type, answers: [...new Set(namesOf(ask.options))].filter((name) => name !== "") }
}

/** The answers that a condition names. */
export const namedBy = (when: Condition): ReadonlyArray<string> => {
  if ("option" in when) return [when.option]
  if ("answer" in when) return [when.answer]
  return "levels" in when ? when.levels : []
}

/** A condition in words. */
export const worded = (when: Condition): string => {
  if ("confidence_below" in when) return `unsure, below ${Math.round(when.confidence_below * 100)} %`
  if ("otherwise" in when) return "otherwise"
  return namedBy(when).join(" · ")
}

/** The condition that takes exactly this answer. */
export const conditionOf = (kind: Kind, answer: string): Condition => {
  if (kind === "yes_no") return { answer: answer === "yes" ? "yes" : "no" }
  return kind === "score" ? { levels: [answer] } : { option: answer }
}

/** The ways that leave a node. */
export const leaving = (graph: FlowGraph, id: string) => graph.edges.filter(({ from }) => from === id)

/** Where a way can begin at a node: an edge that is there, or a condition that has none yet. `id` names the handle. */
export interface Exit {
  readonly id: string
  readonly when: Condition
  readonly edge?: FlowEdge
}

// More rows than this make a node unreadable: then only the ways that are there are shown.
const mostRows = 12

/** The exits of a question in the order of its answers, then otherwise, then unsure. */
export const exitsOf = (graph: FlowGraph, node: AskNode, templates: Catalogue): ReadonlyArray<Exit> => {
  const edges = leaving(graph, node.id)
  const asked = answersOf(node, templates)
  const answers = asked?.answers ?? []
  const place = (edge: FlowEdge) => answers.indexOf(namedBy(edge.when)[0] ?? "")
  const named = edges.filter(({ when }) => namedBy(when).length > 0)
  const taken = new Set(named.flatMap(({ when }) => namedBy(when)))
  const free = asked === undefined || answers.length > mostRows ? [] : answers.filter((answer) => !taken.has(answer))
  const rows: ReadonlyArray<readonly [number, Exit]> = [
    ...named.map(
      (edge) => [place(edge), { id: `answer:${namedBy(edge.when)[0] ?? ""}`, when: edge.when, edge }] as const
    ),
    ...free.map((answer) => {
      const when = conditionOf(asked?.kind ?? "choice", answer)
      return [answers.indexOf(answer), { id: `answer:${answer}`, when }] as const
    })
  ]
  const otherwise = edges
    .filter(({ when }) => "otherwise" in when)
    .map((edge) => ({ id: "otherwise", when: edge.when, edge }))
  const unsure = edges
    .filter(({ when }) => "confidence_below" in when)
    .map((edge, i) => ({ id: i === 0 ? "unsure" : `unsure:${edge.id}`, when: edge.when, edge }))
  const open: ReadonlyArray<Exit> =
    otherwise.length === 0 && (asked === undefined || answers.some((answer) => !taken.has(answer)))
      ? [{ id: "otherwise", when: { otherwise: true } }]
      : []
  const doubt: ReadonlyArray<Exit> = unsure.length === 0 ? [{ id: "unsure", when: { confidence_below: 0.3 } }] : []
  return [...[...rows].sort((a, b) => a[0] - b[0]).map(([, exit]) => exit), ...otherwise, ...open, ...unsure, ...doubt]
}

const freshId = (taken: ReadonlySet<string>, word: string) => {
  let n = 1
  while (taken.has(`${word}-${n}`)) n++
  return `${word}-${n}`
}

const idsOf = (graph: FlowGraph) => new Set([...graph.nodes, ...graph.edges].map(({ id }) => id))

/**
 * The graph in which every id is that of one thing alone: the canvas tells by it what is chosen. Of several the first
 * keeps it, as it is the one that ways lead to.
 */
export const told = (graph: FlowGraph): FlowGraph => {
  const taken = idsOf(graph)
  const seen = new Set<string>()
  const own = <A extends { readonly id: string }>(item: A, word: string): A => {
    const first = !seen.has(item.id)
    const id = first ? item.id : freshId(taken, word)
    seen.add(id)
    taken.add(id)
    return first ? item : { ...item, id }
  }
  return {
    ...graph,
    nodes: graph.nodes.map((node) => own(node, node.kind === "ask" ? "question" : "outcome")),
    edges: graph.edges.map((edge) => own(edge, "way"))
  }
}

/** A flow with nothing in it. */
export const emptyGraph: FlowGraph = { schema: 1, nodes: [], edges: [] }

/** A place on the canvas. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** The graph with one question more, and its id; the first one is the start. */
export const addAsk = (graph: FlowGraph, { x, y }: Point): readonly [FlowGraph, string] => {
  const id = freshId(idsOf(graph), "question")
  const node: AskNode = { id, kind: "ask", label: "New question", ask: { type: "yes_no", question: "" }, x, y }
  return [{ ...graph, start: graph.start ?? id, nodes: [...graph.nodes, node] }, id]
}

/** The graph with one outcome more, and its id. */
export const addEnd = (graph: FlowGraph, { x, y }: Point): readonly [FlowGraph, string] => {
  const id = freshId(idsOf(graph), "outcome")
  const node: EndNode = { id, kind: "end", outcome: id, x, y }
  return [{ ...graph, nodes: [...graph.nodes, node] }, id]
}

/** The graph with one way more, and its id. */
export const connect = (graph: FlowGraph, from: string, to: string, when: Condition): readonly [FlowGraph, string] => {
  const id = freshId(idsOf(graph), "way")
  return [{ ...graph, edges: [...graph.edges, { id, from, to, when }] }, id]
}

/** The graph with a node as `change` makes it; the same where no node has the id. */
export const setNode = (graph: FlowGraph, id: string, change: (node: FlowNode) => FlowNode): FlowGraph => ({
  ...graph,
  nodes: graph.nodes.map((node) => (node.id === id ? change(node) : node))
})

/** The graph with some properties of a way replaced; the same where no way has the id. */
export const setEdge = (graph: FlowGraph, id: string, part: Partial<FlowEdge>): FlowGraph => ({
  ...graph,
  edges: graph.edges.map((edge) => (edge.id === id ? { ...edge, ...part } : edge))
})

const renamedIn = (when: Condition, renamed: ReadonlyMap<string, string>): Condition => {
  const now = (name: string) => renamed.get(name) ?? name
  if ("option" in when) return { option: now(when.option) }
  return "levels" in when ? { levels: when.levels.map(now) } : when
}

/** The graph in which the ways of a question follow the new names of its answers. */
export const renameAnswers = (graph: FlowGraph, id: string, renamed: ReadonlyMap<string, string>): FlowGraph => ({
  ...graph,
  edges: graph.edges.map((edge) => (edge.from === id ? { ...edge, when: renamedIn(edge.when, renamed) } : edge))
})

/** The graph without these nodes and ways, and without the ways that would hang in the air. */
export const removed = (graph: FlowGraph, ids: ReadonlySet<string>): FlowGraph => {
  const { start, ...rest } = graph
  return {
    ...rest,
    ...(start === undefined || ids.has(start) ? {} : { start }),
    nodes: graph.nodes.filter(({ id }) => !ids.has(id)),
    edges: graph.edges.filter(({ id, from, to }) => !ids.has(id) && !ids.has(from) && !ids.has(to))
  }
}

/** What a node is called. */
export const titleOf = (node: FlowNode) => (node.kind === "ask" ? node.label || node.id : node.outcome || node.id)

/** What is saved of a flow. */
export type Content = FlowContent
