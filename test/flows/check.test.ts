import { describe, expect, test } from "bun:test"
import type { FlowFault } from "#schema/FlowFault"
import type { Ask, AskNode, Condition, EndNode, FlowEdge, FlowGraph } from "#schema/FlowGraph"
import { Limits } from "#schema/Limits"
import { check } from "#src/flows/Check"
import { catalogue } from "./graphs.ts"

const ask = (id: string, asks: Ask = { template: "spam" }): AskNode => ({
  id,
  kind: "ask",
  label: `Is ${id}?`,
  ask: asks
})
const end = (id: string, outcome = id): EndNode => ({ id, kind: "end", outcome })
const edge = (id: string, from: string, to: string, when: Condition): FlowEdge => ({ id, from, to, when })
const graph = (nodes: FlowGraph["nodes"], edges: FlowGraph["edges"], start = "a"): FlowGraph => ({
  schema: 1,
  start,
  nodes,
  edges
})
const yes = { answer: "yes" } as const
const no = { answer: "no" } as const
const otherwise = { otherwise: true } as const
const levels = { type: "score", question: "How hot?", options: ["cold", "warm", "hot"] } as const

const faults = (flow: FlowGraph) => check(flow, catalogue).map(({ message, ...fault }) => fault)
const sentences = (flow: FlowGraph) => check(flow, catalogue).map(({ message }) => message)

const small = graph([ask("a"), end("x"), end("y")], [edge("1", "a", "x", yes), edge("2", "a", "y", no)])

describe("a flow", () => {
  test("with more and longer faults than anybody reads is told a hundred, with names cut short", () => {
    const long = Array.from({ length: 8 }, (_, n) => `${n}${"🦜".repeat(1_999)}`)
    const edges = Array.from({ length: 1_000 }, (_, n) => edge(`e${n}`, "a", "x", { option: "no such name" }))
    const told = check(
      graph([ask("a", { type: "choice", question: "Which?", options: long }), end("x")], edges),
      catalogue
    )
    expect(told).toHaveLength(100)
    for (const { message } of told) expect(message.length).toBeLessThan(600)
    expect(told.every(({ message }) => message.isWellFormed())).toBe(true)
  })

  test("without faults has none", () => {
    expect(faults(small)).toEqual([])
  })

  test("that is empty lacks a start and an outcome", () => {
    expect(faults({ schema: 1, nodes: [], edges: [] })).toEqual([{ code: "no_start" }, { code: "no_outcome" }])
  })

  const cases: ReadonlyArray<readonly [string, FlowGraph, ReadonlyArray<Omit<FlowFault, "message">>]> = [
    ["whose start is not there", { ...small, start: "b" }, [{ code: "no_start" }]],
    ["that starts at an end", { ...small, start: "x" }, [{ code: "no_start", node: "x" }]],
    [
      "with a second start",
      graph([...small.nodes, ask("b")], [...small.edges, edge("3", "b", "x", otherwise)]),
      [{ code: "two_starts", node: "b" }]
    ],
    [
      "with a question that hangs loose",
      graph([...small.nodes, ask("b")], small.edges),
      [
        { code: "unreachable", node: "b" },
        { code: "missing_way", node: "b", answers: ["yes", "no"] }
      ]
    ],
    [
      "with an end that hangs loose",
      graph([...small.nodes, end("z")], small.edges),
      [{ code: "unreachable", node: "z" }]
    ],
    [
      "with an end behind an otherwise that nothing is left for",
      graph([...small.nodes, end("z")], [...small.edges, edge("3", "a", "z", otherwise)]),
      [{ code: "unreachable", node: "z" }]
    ],
    [
      "that goes back",
      graph(
        [ask("a"), ask("b"), end("x")],
        [edge("1", "a", "b", otherwise), edge("2", "b", "a", yes), edge("3", "b", "x", no)]
      ),
      [{ code: "cycle", node: "b", edge: "2" }]
    ],
    [
      "that goes back by an otherwise that nothing is left for",
      graph(small.nodes, [...small.edges, edge("3", "a", "a", otherwise)]),
      [{ code: "cycle", node: "a", edge: "3" }]
    ],
    [
      "that goes round beside its start",
      graph(
        [...small.nodes, ask("b"), ask("c")],
        [...small.edges, edge("3", "b", "c", otherwise), edge("4", "c", "b", otherwise)]
      ),
      [
        { code: "cycle", node: "c", edge: "4" },
        { code: "unreachable", node: "b" },
        { code: "unreachable", node: "c" }
      ]
    ],
    [
      "with answers that lead nowhere",
      graph(
        [ask("a", levels), end("x")],
        [edge("1", "a", "x", { levels: ["warm"] }), edge("2", "a", "x", { confidence_below: 1 })]
      ),
      [{ code: "missing_way", node: "a", answers: ["cold", "hot"] }]
    ],
    [
      "with an option that the question lacks",
      graph(
        [ask("a", levels), end("x")],
        [edge("1", "a", "x", { levels: ["hot", "boiling"] }), edge("2", "a", "x", otherwise)]
      ),
      [{ code: "bad_option", node: "a", edge: "1" }]
    ],
    [
      "with an option of another kind of question",
      graph([ask("a", levels), end("x")], [edge("1", "a", "x", { option: "hot" }), edge("2", "a", "x", otherwise)]),
      [{ code: "bad_option", node: "a", edge: "1" }]
    ],
    [
      "with two edges for one answer",
      graph(
        [ask("a", levels), end("x"), end("y")],
        [edge("1", "a", "x", { levels: ["cold", "warm"] }), edge("2", "a", "y", { levels: ["warm", "hot"] })]
      ),
      [{ code: "duplicate_edge", node: "a", edge: "2" }]
    ],
    [
      "with two edges for one threshold, and two for what is left",
      graph(
        [ask("a"), end("x")],
        [
          edge("1", "a", "x", { confidence_below: 0.5 }),
          edge("2", "a", "x", { confidence_below: 0.5 }),
          edge("3", "a", "x", { confidence_below: 0.6 }),
          edge("4", "a", "x", otherwise),
          edge("5", "a", "x", otherwise)
        ]
      ),
      [
        { code: "duplicate_edge", node: "a", edge: "2" },
        { code: "duplicate_edge", node: "a", edge: "5" }
      ]
    ],
    [
      "with ids that are used twice",
      graph([...small.nodes, end("x")], [...small.edges, edge("2", "a", "x", { confidence_below: 0.5 })]),
      [
        { code: "duplicate_id", node: "x" },
        { code: "duplicate_id", edge: "2" }
      ]
    ],
    [
      "with edges in the air",
      graph(small.nodes, [
        ...small.edges,
        edge("3", "q", "x", yes),
        edge("4", "x", "y", yes),
        edge("5", "a", "q", { confidence_below: 0.5 })
      ]),
      [
        { code: "dangling_edge", edge: "3" },
        { code: "dangling_edge", edge: "4" },
        { code: "dangling_edge", edge: "5" }
      ]
    ],
    [
      "without an end",
      graph([ask("a")], []),
      [{ code: "no_outcome" }, { code: "missing_way", node: "a", answers: ["yes", "no"] }]
    ],
    [
      "with an end that says nothing",
      graph([ask("a"), end("x", " ")], [edge("1", "a", "x", otherwise)]),
      [{ code: "no_outcome", node: "x" }]
    ]
  ]

  for (const [how, flow, expected] of cases) {
    test(how, () => {
      expect(faults(flow)).toEqual([...expected])
    })
  }

  test("tells every fault at once", () => {
    const broken = graph(
      [ask("a", { type: "choice" }), ask("b"), end("x", "")],
      [edge("1", "a", "q", otherwise), edge("2", "b", "b", { option: "z" })]
    )
    expect(new Set(faults(broken).map(({ code }) => code))).toEqual(
      new Set(["bad_spec", "bad_option", "cycle", "dangling_edge", "missing_way", "no_outcome", "unreachable"])
    )
  })
})

describe("the longest way", () => {
  const chain = (length: number) => {
    const ids = Array.from({ length }, (_, i) => `q${i}`)
    return graph(
      [...ids.map((id) => ask(id)), end("x")],
      ids.map((id, i) => edge(id, id, ids[i + 1] ?? "x", otherwise)),
      "q0"
    )
  }

  test("may ask as many questions as a run may", () => {
    expect(faults(chain(Limits.flow.path))).toEqual([])
  })

  test("may not ask one more, and the fault names it", () => {
    expect(faults(chain(Limits.flow.path + 1))).toEqual([{ code: "too_long", node: `q${Limits.flow.path}` }])
  })
})

describe("a question that cannot be asked", () => {
  const asking = (asks: Ask) => sentences(graph([ask("a", asks), end("x")], [edge("1", "a", "x", otherwise)]))

  test("is told in the words of a request", () => {
    expect(asking({})).toEqual([
      "'Is a?' cannot be asked: give either 'template', or 'type' and 'question' (and 'options' for choice and score)."
    ])
    expect(asking({ template: "spam", question: "Is it?" })).toEqual([
      "'Is a?' cannot be asked: give either 'template' or 'type' and 'question' (and 'options'), not both."
    ])
    expect(asking({ template: "horoscope", type: "guess" })).toEqual([
      expect.stringContaining("template: Input should be 'moderation'"),
      "'Is a?' cannot be asked: type: Input should be 'choice', 'yes_no' or 'score'."
    ])
    expect(asking({ type: "choice", question: "Which?", options: ["one"] })).toEqual([
      "'Is a?' cannot be asked: options: List should have at least 2 items after validation, not 1."
    ])
    expect(asking({ template: "spam", model: "svc-unheard-of" })).toEqual([
      "'Is a?' cannot be asked: there is no model 'svc-unheard-of'."
    ])
  })

  test("has no text, or an option without a name", () => {
    for (const question of ["", " \n"])
      expect(asking({ type: "yes_no", question })).toEqual(["'Is a?' cannot be asked: its question has no text."])
    expect(asking({ type: "choice", question: "Which?", options: ["one", " "] })).toEqual([
      "'Is a?' cannot be asked: one of its options has no name."
    ])
  })

  test("for want of a text is named with its node, beside the answers that lead nowhere", () => {
    const flow = graph([ask("a", { type: "yes_no", question: "" }), end("x")], [edge("1", "a", "x", yes)])
    expect(faults(flow)).toEqual([
      { code: "bad_spec", node: "a" },
      { code: "missing_way", node: "a", answers: ["no"] }
    ])
  })

  test("is not blamed for its edges too", () => {
    expect(faults(graph([ask("a", {}), end("x")], [edge("1", "a", "x", { option: "z" })]))).toEqual([
      { code: "bad_spec", node: "a" }
    ])
  })
})
