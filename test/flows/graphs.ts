import { FastCheck as fc } from "effect"
import type { Ask, Condition, FlowEdge, FlowGraph, FlowNode } from "#schema/FlowGraph"
import { askedOf } from "#src/decisions/Asked"
import { templates } from "#src/decisions/Templates"
import type { Catalogue } from "#src/flows/Question"

export const catalogue: Catalogue = {
  asked: askedOf(templates([])),
  hasModel: (name) => name === "svc-auto"
}

/** What nodes of the tests ask, with the answers to each and how an edge names one. */
const questions: ReadonlyArray<{
  readonly ask: Ask
  readonly answers: ReadonlyArray<string>
  readonly named: (answer: string) => Condition
}> = [
  {
    ask: { type: "choice", question: "Which?", options: ["a", "b", "c"] },
    answers: ["a", "b", "c"],
    named: (option) => ({ option })
  },
  {
    ask: { template: "spam" },
    answers: ["yes", "no"],
    named: (answer) => ({ answer: answer === "yes" ? "yes" : "no" })
  },
  {
    ask: { type: "score", question: "How much?", options: { low: "a little", high: null } },
    answers: ["low", "high"],
    named: (level) => ({ levels: [level] })
  }
]

/** All answers to what a node asks. */
export const answersTo = (ask: Ask): ReadonlyArray<string> =>
  questions.find((question) => question.ask === ask)?.answers ?? []

const thresholds = [0.3, 0.6]
/** One confidence below each threshold of the tests, and one above all. */
export const confidences = [0.1, 0.5, 1]

const condition = fc.oneof(
  ...questions.flatMap(({ answers, named }) => answers.map((answer) => fc.constant(named(answer)))),
  fc.constantFrom<Condition>({ option: "z" }, { levels: ["low", "high"] }, { otherwise: true }),
  fc.constantFrom(...thresholds).map((confidence_below): Condition => ({ confidence_below }))
)

const node = (id: string) =>
  fc.oneof(
    fc.constantFrom(...questions).map(({ ask }): FlowNode => ({ id, kind: "ask", label: id, ask })),
    fc.constant<FlowNode>({ id, kind: "end", outcome: `outcome of ${id}` })
  )

/** Drawings of all kinds, most of them faulty. */
export const anyGraph: fc.Arbitrary<FlowGraph> = fc.integer({ min: 1, max: 6 }).chain((size) => {
  const ids = Array.from({ length: size }, (_, i) => `n${i}`)
  const place = fc.constantFrom(...ids, ...ids, "nowhere")
  return fc
    .record({
      start: place,
      nodes: fc.tuple(...ids.map(node)),
      edges: fc.array(fc.record({ from: place, to: place, when: condition }), { maxLength: 12 })
    })
    .map(({ start, nodes, edges }) => ({
      schema: 1,
      start,
      nodes,
      edges: edges.map((edge, i) => ({ id: `e${i}`, ...edge }))
    }))
})

/** Drawings without a fault: edges only lead forward, every answer has one, and what cannot be reached is left out. */
export const soundGraph: fc.Arbitrary<FlowGraph> = fc
  .array(fc.tuple(fc.nat(questions.length - 1), fc.boolean(), fc.array(fc.nat(), { minLength: 6, maxLength: 6 })), {
    minLength: 1,
    maxLength: 7
  })
  .map((seeds) => {
    const ends = ["end-0", "end-1"]
    const later = (from: number, pick: number) => {
      const targets = [...seeds.map((_, i) => `n${i}`).slice(from + 1), ...ends]
      return targets[pick % targets.length] ?? "end-0"
    }
    const edges = seeds.flatMap(([kind, catchAll, picks], i): ReadonlyArray<FlowEdge> => {
      const question = questions[kind] ?? questions[0]
      const to = (k: number) => later(i, picks[k] ?? 0)
      const answers = question?.answers ?? []
      const ways = answers.map((answer, k) => ({
        to: to(k),
        when: question?.named(answer) ?? { otherwise: true as const }
      }))
      const drawn: ReadonlyArray<{ readonly to: string; readonly when: Condition }> = [
        ...(catchAll ? [...ways.slice(1), { to: to(0), when: { otherwise: true } as const }] : ways),
        ...thresholds
          .filter((_, k) => (picks[4 + k] ?? 0) % 2 === 0)
          .map((x, k) => ({ to: to(3 + k), when: { confidence_below: x } }))
      ]
      return drawn.map((edge, k) => ({ id: `e${i}-${k}`, from: `n${i}`, ...edge }))
    })
    const reached = new Set(["n0"])
    for (const id of reached) for (const { from, to } of edges) if (from === id) reached.add(to)
    const nodes: ReadonlyArray<FlowNode> = [
      ...seeds.map(([kind], i): FlowNode => ({ id: `n${i}`, kind: "ask", label: "", ask: questions[kind]?.ask ?? {} })),
      ...ends.map((id): FlowNode => ({ id, kind: "end", outcome: id }))
    ]
    return {
      schema: 1,
      start: "n0",
      nodes: nodes.filter(({ id }) => reached.has(id)),
      edges: edges.filter(({ from }) => reached.has(from))
    }
  })
