import { Limits } from "#schema/Limits"
import { backEdges, longestWay, type Plan, reachable } from "./Plan.ts"
import { called, fault, type Rule } from "./Rule.ts"

/** The start, where it is a question. */
const startOf = ({ graph, questions }: Plan): string | undefined =>
  graph.start !== undefined && questions.has(graph.start) ? graph.start : undefined

const repeated = (ids: ReadonlyArray<string>) => ids.filter((id, at) => ids.indexOf(id) < at)

const ids: Rule = ({ graph: { nodes, edges } }) => {
  const message = (id: string) => `The id '${id}' is used twice; give one of the two another.`
  return [
    ...repeated(nodes.map(({ id }) => id)).map((node) => fault("duplicate_id", message(node), { node })),
    ...repeated(edges.map(({ id }) => id)).map((edge) => fault("duplicate_id", message(edge), { edge }))
  ]
}

const start: Rule = (plan) => {
  if (startOf(plan) !== undefined) return []
  const node = plan.nodes.get(plan.graph.start ?? "")
  return node === undefined
    ? [fault("no_start", "The flow has no start; choose the question that it begins with.")]
    : [fault("no_start", `The flow starts at the outcome ${called(node)}; start it at a question.`, { node: node.id })]
}

const edges: Rule = ({ graph, nodes }) =>
  graph.edges.flatMap(({ id, from, to }) => {
    const dangling = (how: string) => [fault("dangling_edge", `The edge '${id}' ${how}.`, { edge: id })]
    const source = nodes.get(from)
    if (source === undefined) return dangling(`begins at '${from}', which is not there`)
    if (source.kind === "end") return dangling(`begins at the outcome ${called(source)}; only a question has ways on`)
    return nodes.has(to) ? [] : dangling(`leads to '${to}', which is not there`)
  })

const cycles: Rule = (plan) =>
  backEdges(plan).map(({ id, from, to }) => {
    const node = plan.nodes.get(to)
    const back = node === undefined ? to : called(node)
    return fault("cycle", `The edge '${id}' leads back to ${back}; a flow never asks a question twice.`, {
      node: from,
      edge: id
    })
  })

const reach: Rule = (plan) => {
  const begin = startOf(plan)
  if (begin === undefined) return []
  const reached = reachable(plan, begin)
  const entered = new Set(plan.graph.edges.filter(({ from }) => plan.nodes.has(from)).map(({ to }) => to))
  return [...plan.nodes.values()]
    .filter(({ id }) => !reached.has(id))
    .map((node) => {
      const name = called(node)
      return !entered.has(node.id) && plan.ways(node.id).length > 0
        ? fault("two_starts", `${name} is a second start: nothing leads to it. Lead an answer to it, or remove it.`, {
            node: node.id
          })
        : fault("unreachable", `No run can come to ${name}. Lead an answer to it, or remove it.`, { node: node.id })
    })
}

const outcomes: Rule = ({ nodes }) => {
  const ends = [...nodes.values()].filter((node) => node.kind === "end")
  if (ends.length === 0) return [fault("no_outcome", "The flow has no outcome; add one.")]
  return ends
    .filter(({ outcome }) => outcome.trim() === "")
    .map(({ id }) =>
      fault("no_outcome", `The outcome '${id}' has no name; write what a run that ends there answers.`, { node: id })
    )
}

const length: Rule = (plan) => {
  const begin = startOf(plan)
  if (begin === undefined || backEdges(plan).length > 0) return []
  const way = longestWay(plan, begin)
  const most = Limits.flow.path
  const beyond = way[most]
  return beyond === undefined
    ? []
    : [fault("too_long", `The longest way asks ${way.length} questions; a run asks at most ${most}.`, { node: beyond })]
}

/** What holds of the drawing: one start, no cycle, every node reachable, ends with outcomes, not too long. */
export const shapeRules: ReadonlyArray<Rule> = [ids, start, edges, cycles, reach, outcomes, length]
