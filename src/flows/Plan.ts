import { Either } from "effect"
import type { FlowEdge, FlowGraph, FlowNode } from "#schema/FlowGraph"
import { type Catalogue, type Question, readQuestion } from "./Question.ts"
import { namedBy } from "./Walk.ts"

/** A graph made ready to be reasoned about; of nodes with one id the first counts. */
export interface Plan {
  readonly graph: FlowGraph
  readonly nodes: ReadonlyMap<string, FlowNode>
  /** What the nodes ask that can be asked; of the others, what is wrong. */
  readonly questions: ReadonlyMap<string, Either.Either<Question, ReadonlyArray<string>>>
  /** Every edge that leaves a question, in the order drawn. */
  readonly leaving: (node: string) => ReadonlyArray<FlowEdge>
  /** Those of them that lead to a node and can be taken: an `otherwise` beside a way for every answer cannot. */
  readonly ways: (node: string) => ReadonlyArray<FlowEdge>
}

/** Answers of a question that no edge names. */
export const unnamed = ({ answers }: Question, leaving: ReadonlyArray<FlowEdge>): ReadonlyArray<string> => {
  const named = new Set(leaving.flatMap(({ when }) => namedBy(when)))
  return answers.filter((answer) => !named.has(answer))
}

/** Makes a graph ready, however unfinished it is; `catalogue` knows the templates and models that its questions may name. */
export const planOf = (graph: FlowGraph, catalogue: Catalogue): Plan => {
  const nodes = new Map<string, FlowNode>()
  for (const node of graph.nodes) if (!nodes.has(node.id)) nodes.set(node.id, node)
  const questions = new Map(
    [...nodes].flatMap(([id, node]) => (node.kind === "ask" ? [[id, readQuestion(catalogue, node.ask)] as const] : []))
  )
  const bySource = Map.groupBy(graph.edges, ({ from }) => from)
  const leaving = (id: string) => (questions.has(id) ? (bySource.get(id) ?? []) : [])
  const answeredAll = new Map(
    [...questions].map(([id, question]) => [
      id,
      Either.isRight(question) && unnamed(question.right, leaving(id)).length === 0
    ])
  )
  const ways = (id: string) =>
    leaving(id).filter(({ to, when }) => nodes.has(to) && !("otherwise" in when && answeredAll.get(id)))
  return { graph, nodes, questions, leaving, ways }
}

/** The nodes that a run can come to from `start`, itself included. */
export const reachable = ({ ways }: Plan, start: string): ReadonlySet<string> => {
  const reached = new Set([start])
  for (const id of reached) for (const { to } of ways(id)) reached.add(to)
  return reached
}

/** Edges that lead back to a question on the way to them: without these, the drawing has no cycle, be an edge taken or not. */
export const backEdges = ({ nodes, leaving, graph }: Plan): ReadonlyArray<FlowEdge> => {
  const done = new Set<string>()
  const way = new Set<string>()
  const found: Array<FlowEdge> = []
  const visit = (id: string) => {
    if (done.has(id)) return
    way.add(id)
    for (const edge of leaving(id).filter(({ to }) => nodes.has(to))) {
      if (way.has(edge.to)) found.push(edge)
      else visit(edge.to)
    }
    way.delete(id)
    done.add(id)
  }
  if (graph.start !== undefined && nodes.has(graph.start)) visit(graph.start)
  for (const id of nodes.keys()) visit(id)
  return found
}

/** The questions on the longest way from `start`; of a graph without cycles. */
export const longestWay = ({ questions, ways }: Plan, start: string): ReadonlyArray<string> => {
  const known = new Map<string, ReadonlyArray<string>>()
  const from = (id: string): ReadonlyArray<string> => {
    const before = known.get(id)
    if (before !== undefined) return before
    const rest = ways(id)
      .map(({ to }) => from(to))
      .reduce<ReadonlyArray<string>>((longest, way) => (way.length > longest.length ? way : longest), [])
    const way = questions.has(id) ? [id, ...rest] : []
    known.set(id, way)
    return way
  }
  return from(start)
}
