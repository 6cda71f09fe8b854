import { describe, expect, test } from "bun:test"
import { FastCheck as fc } from "effect"
import type { FlowEdge, FlowGraph } from "#schema/FlowGraph"
import { check } from "#src/flows/Check"
import { namedBy } from "#src/flows/Walk"
import { answersTo, anyGraph, catalogue, soundGraph } from "./graphs.ts"

const codes = (graph: FlowGraph) => new Set(check(graph, catalogue).map(({ code }) => code))

const at = (graph: FlowGraph, code: string) => check(graph, catalogue).filter((fault) => fault.code === code)

/** Edges from a question to a node. */
const drawn = ({ nodes, edges }: FlowGraph): ReadonlyArray<FlowEdge> =>
  edges.filter(
    ({ from, to }) => nodes.find(({ id }) => id === from)?.kind === "ask" && nodes.some(({ id }) => id === to)
  )

/** Those of them that a run can take, told from the drawing alone. */
const taken = (graph: FlowGraph): ReadonlyArray<FlowEdge> =>
  drawn(graph).filter(({ from, when }) => {
    const { nodes, edges } = graph
    const source = nodes.find(({ id }) => id === from)
    if (source?.kind !== "ask") return false
    const named = edges.filter((edge) => edge.from === from).flatMap((edge) => namedBy(edge.when))
    return !("otherwise" in when) || answersTo(source.ask).some((answer) => !named.includes(answer))
  })

/** Warshall's closure: whether there is a way of at least one edge. */
const leads = (graph: FlowGraph, edges: ReadonlyArray<FlowEdge>) => {
  const ids = graph.nodes.map(({ id }) => id)
  const pairs = new Set(edges.map(({ from, to }) => `${from} ${to}`))
  for (const via of ids)
    for (const from of ids)
      for (const to of ids) if (pairs.has(`${from} ${via}`) && pairs.has(`${via} ${to}`)) pairs.add(`${from} ${to}`)
  return (from: string, to: string) => pairs.has(`${from} ${to}`)
}

describe("the check of any drawing", () => {
  test("names edges that close a cycle, and without them there is none", () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const way = leads(graph, drawn(graph))
        const closing = at(graph, "cycle").map(({ edge }) => edge)
        for (const { id, from, to } of graph.edges)
          if (closing.includes(id)) expect(from === to || way(to, from)).toBe(true)
        const open = leads(
          graph,
          drawn(graph).filter(({ id }) => !closing.includes(id))
        )
        for (const { id } of graph.nodes) expect(open(id, id)).toBe(false)
      }),
      { numRuns: 500 }
    )
  })

  test("names exactly the nodes that no run can come to, where there is a start", () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const way = leads(graph, taken(graph))
        const { start = "" } = graph
        const starts = graph.nodes.some(({ id, kind }) => id === start && kind === "ask")
        expect(codes(graph).has("no_start")).toBe(!starts)
        const lost = graph.nodes.filter(({ id }) => starts && id !== start && !way(start, id)).map(({ id }) => id)
        const named = [...at(graph, "unreachable"), ...at(graph, "two_starts")].map(({ node }) => node)
        expect(named.toSorted()).toEqual(lost.toSorted())
      }),
      { numRuns: 500 }
    )
  })

  test("names exactly the answers without a way on", () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const lacking = graph.nodes.flatMap((node) => {
          if (node.kind !== "ask") return []
          const leaving = graph.edges.filter(({ from }) => from === node.id)
          if (leaving.some(({ when }) => "otherwise" in when)) return []
          const answers = answersTo(node.ask).filter(
            (answer) => !leaving.some(({ when }) => namedBy(when).includes(answer))
          )
          return answers.length === 0 ? [] : [{ node: node.id, answers }]
        })
        const named = at(graph, "missing_way").map(({ node, answers }) => ({ node, answers }))
        expect<unknown>(named).toEqual(lacking)
      }),
      { numRuns: 500 }
    )
  })

  test("names every edge that hangs in the air", () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const kind = (id: string) => graph.nodes.find((node) => node.id === id)?.kind
        const hanging = graph.edges.filter(({ from, to }) => kind(from) !== "ask" || kind(to) === undefined)
        expect<unknown>(at(graph, "dangling_edge").map(({ edge }) => edge)).toEqual(hanging.map(({ id }) => id))
      }),
      { numRuns: 500 }
    )
  })

  test("finds that there is no outcome where nothing ends", () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        expect(codes(graph).has("no_outcome")).toBe(!graph.nodes.some(({ kind }) => kind === "end"))
      })
    )
  })
})

describe("the check of a sound drawing", () => {
  test("finds nothing", () => {
    fc.assert(
      fc.property(soundGraph, (graph) => {
        expect(check(graph, catalogue)).toEqual([])
      }),
      { numRuns: 500 }
    )
  })

  test("finds what breaks when an edge that names an answer is taken away", () => {
    fc.assert(
      fc.property(soundGraph, fc.nat(), (graph, pick) => {
        const naming = graph.edges.filter(({ when }) => !("confidence_below" in when))
        const gone = naming[pick % naming.length]
        const others = graph.edges.filter((edge) => edge !== gone)
        const caught = others.some(({ from, when }) => from === gone?.from && "otherwise" in when)
        const missing = at({ ...graph, edges: others }, "missing_way").map(({ node }) => node)
        expect<unknown>(missing).toEqual(caught ? [] : [gone?.from])
      }),
      { numRuns: 300 }
    )
  })

  test("finds a way back to the start", () => {
    fc.assert(
      fc.property(soundGraph, fc.nat(), (graph, pick) => {
        const turned = pick % graph.edges.length
        const edges = graph.edges.map((edge, i) => (i === turned ? { ...edge, to: graph.start ?? "" } : edge))
        expect(codes({ ...graph, edges }).has("cycle")).toBe(true)
      }),
      { numRuns: 300 }
    )
  })

  test("finds an edge that is drawn twice, at its second place", () => {
    fc.assert(
      fc.property(soundGraph, fc.nat(), (graph, pick) => {
        const edge = graph.edges[pick % graph.edges.length]
        const twice = edge === undefined ? graph.edges : [...graph.edges, { ...edge, id: "again" }]
        const faults = check({ ...graph, edges: twice }, catalogue)
        expect<unknown>(faults.map(({ code, edge }) => [code, edge])).toEqual([["duplicate_edge", "again"]])
      }),
      { numRuns: 300 }
    )
  })
})
