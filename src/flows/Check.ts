import { Either } from "effect"
import type { FlowFault } from "#schema/FlowFault"
import type { Condition, FlowGraph, FlowNode } from "#schema/FlowGraph"
import { Limits } from "#schema/Limits"
import type { QuestionType } from "#schema/Question"
import { backEdges, longestWay, type Plan, planOf, reachable, unnamed } from "./Plan.ts"
import type { Catalogue } from "./Question.ts"
import { namedBy } from "./Walk.ts"

type Faults = ReadonlyArray<FlowFault>
type Rule = (plan: Plan) => Faults

const called = (node: FlowNode): string => {
  const name = node.kind === "ask" ? node.label : (node.label ?? node.outcome)
  return `'${name === "" ? node.id : name}'`
}

const few = (names: ReadonlyArray<string>): string =>
  names.length <= 8 ? names.join(", ") : `${names.slice(0, 8).join(", ")} and ${names.length - 8} more`

/** The start, where it is a question. */
const startOf = ({ graph, questions }: Plan): string | undefined =>
  graph.start !== undefined && questions.has(graph.start) ? graph.start : undefined

const ids: Rule = ({ graph }) => {
  const repeated = (all: ReadonlyArray<string>) => all.filter((id, at) => all.indexOf(id) < at)
  const message = (id: string) => `The id '${id}' is used twice; give one of the two another.`
  return [
    ...repeated(graph.nodes.map(({ id }) => id)).map((node) => ({
      code: "duplicate_id" as const,
      message: message(node),
      node
    })),
    ...repeated(graph.edges.map(({ id }) => id)).map((edge) => ({
      code: "duplicate_id" as const,
      message: message(edge),
      edge
    }))
  ]
}

const start: Rule = (plan) => {
  if (startOf(plan) !== undefined) return []
  const { graph, nodes } = plan
  const node = graph.start === undefined ? undefined : nodes.get(graph.start)
  if (node !== undefined)
    return [
      {
        code: "no_start",
        message: `The flow starts at its end ${called(node)}; start it at a question.`,
        node: node.id
      }
    ]
  return [{ code: "no_start", message: "The flow has no start; choose the question that it begins with." }]
}

const edges: Rule = ({ graph, nodes }) =>
  graph.edges.flatMap(({ id, from, to }): Faults => {
    const fault = (message: string) => [{ code: "dangling_edge" as const, message, edge: id }]
    const source = nodes.get(from)
    if (source === undefined) return fault(`The edge '${id}' begins at '${from}', which is not there.`)
    if (source.kind === "end")
      return fault(`The edge '${id}' begins at the end ${called(source)}; only a question has ways on.`)
    return nodes.has(to) ? [] : fault(`The edge '${id}' leads to '${to}', which is not there.`)
  })

const specs: Rule = ({ questions, nodes }) =>
  [...questions].flatMap(([id, question]) => {
    const node = nodes.get(id)
    return Either.isRight(question) || node === undefined
      ? []
      : question.left.map(
          (sentence): FlowFault => ({
            code: "bad_spec",
            message: `${called(node)} cannot be asked: ${sentence}.`,
            node: id
          })
        )
  })

const kindOf: Record<QuestionType, "option" | "answer" | "levels"> = {
  choice: "option",
  yes_no: "answer",
  score: "levels"
}

const options: Rule = ({ questions, leaving }) =>
  [...questions].flatMap(([id, question]) =>
    Either.isLeft(question)
      ? []
      : leaving(id).flatMap((edge): Faults => {
          const { type, answers } = question.right
          const names = namedBy(edge.when)
          const fault = (message: string) => [{ code: "bad_option" as const, message, node: id, edge: edge.id }]
          if (names.length > 0 && !(kindOf[type] in edge.when))
            return fault(
              `The edge '${edge.id}' has to name its answer as '${kindOf[type]}', since the question is of type '${type}'.`
            )
          const strange = names.filter((name) => !answers.includes(name))
          return strange.length === 0
            ? []
            : fault(`The edge '${edge.id}' names ${few(strange)}, but the question's answers are ${few(answers)}.`)
        })
  )

const claims = (when: Condition): ReadonlyArray<string> => {
  if ("confidence_below" in when) return [`confidence_below ${when.confidence_below}`]
  return "otherwise" in when ? ["otherwise"] : [...new Set(namedBy(when))].map((name) => `the answer '${name}'`)
}

const duplicates: Rule = ({ questions, leaving }) =>
  [...questions.keys()].flatMap((id) => {
    const seen = new Set<string>()
    return leaving(id).flatMap((edge): Faults => {
      const again = claims(edge.when).filter((claim) => seen.has(claim))
      for (const claim of claims(edge.when)) seen.add(claim)
      return again.length === 0
        ? []
        : [
            {
              code: "duplicate_edge",
              message: `The edge '${edge.id}' takes ${few(again)}, which another edge of the question takes already.`,
              node: id,
              edge: edge.id
            }
          ]
    })
  })

const waysOn: Rule = ({ questions, nodes, leaving }) =>
  [...questions].flatMap(([id, question]): Faults => {
    const node = nodes.get(id)
    if (Either.isLeft(question) || node === undefined || leaving(id).some(({ when }) => "otherwise" in when)) return []
    const answers = unnamed(question.right, leaving(id))
    return answers.length === 0
      ? []
      : [
          {
            code: "missing_way",
            message: `${called(node)} has no way on for ${few(answers)}; add one, or an otherwise.`,
            node: id,
            answers
          }
        ]
  })

const cycles: Rule = (plan) =>
  backEdges(plan).map(({ id, from, to }) => {
    const node = plan.nodes.get(to)
    return {
      code: "cycle",
      message: `The edge '${id}' leads back to ${node === undefined ? to : called(node)}; a flow never asks a question twice.`,
      node: from,
      edge: id
    }
  })

const reach: Rule = (plan) => {
  const begin = startOf(plan)
  if (begin === undefined) return []
  const reached = reachable(plan, begin)
  const entered = new Set(plan.graph.edges.filter(({ from }) => plan.nodes.has(from)).map(({ to }) => to))
  return [...plan.nodes.values()].flatMap((node): Faults => {
    if (reached.has(node.id)) return []
    return !entered.has(node.id) && plan.ways(node.id).length > 0
      ? [
          {
            code: "two_starts",
            message: `${called(node)} is a second start: nothing leads to it. Lead an answer to it, or remove it.`,
            node: node.id
          }
        ]
      : [
          {
            code: "unreachable",
            message: `No run can come to ${called(node)}. Lead an answer to it, or remove it.`,
            node: node.id
          }
        ]
  })
}

const outcomes: Rule = ({ nodes }) => {
  const ends = [...nodes.values()].filter((node) => node.kind === "end")
  if (ends.length === 0)
    return [{ code: "no_outcome", message: "The flow has no end; add one with the outcome of a run." }]
  return ends
    .filter(({ outcome }) => outcome.trim() === "")
    .map(({ id }) => ({
      code: "no_outcome",
      message: `The end '${id}' has no outcome; name what a run that ends there comes to.`,
      node: id
    }))
}

const length: Rule = (plan) => {
  const begin = startOf(plan)
  if (begin === undefined || backEdges(plan).length > 0) return []
  const way = longestWay(plan, begin)
  const beyond = way[Limits.flow.path]
  return beyond === undefined
    ? []
    : [
        {
          code: "too_long",
          message: `The longest way asks ${way.length} questions; a run asks at most ${Limits.flow.path}.`,
          node: beyond
        }
      ]
}

const rules: ReadonlyArray<Rule> = [
  ids,
  start,
  edges,
  specs,
  options,
  duplicates,
  waysOn,
  cycles,
  reach,
  outcomes,
  length
]

/** Everything that keeps a graph from being published, each with the node or edge it concerns; none where it can be. */
export const check = (graph: FlowGraph, catalogue: Catalogue): Faults => {
  const plan = planOf(graph, catalogue)
  return rules.flatMap((rule) => rule(plan))
}
