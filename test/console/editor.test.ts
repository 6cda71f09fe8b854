import { describe, expect, test } from "bun:test"
import { Arbitrary, Either, FastCheck, Schema } from "effect"
import { FlowSlug } from "#schema/FlowDraft"
import type { Ask, FlowGraph } from "#schema/FlowGraph"
import { FlowEdge } from "#schema/FlowGraph"
import { changes as isolated } from "#src/console/app/flows/diff"
import { drawnId, idOf } from "#src/console/app/flows/drawnId"
import {
  addAsk,
  addEnd,
  type Catalogue,
  type Content,
  connect,
  emptyGraph,
  exitsOf,
  removed,
  setEdge,
  setNode,
  told
} from "#src/console/app/flows/graph"
import { imported } from "#src/console/app/flows/imported"
import { heightOf, nodeWidth, tidied } from "#src/console/app/flows/layout"
import { withLevel } from "#src/console/app/flows/levels"
import { route } from "#src/console/app/flows/routing"
import { slugOf } from "#src/console/app/flows/slug"
import { examples } from "#src/flows/ExampleGraphs"

const templates: Catalogue = new Map()
const at = { x: 0, y: 0 }

const anyCondition = Arbitrary.make(FlowEdge.fields.when).filter(
  (when) => !("levels" in when) || when.levels.length > 0
)

/** Any graph at all: circles, loose ends and doubles included. */
const anyGraph = FastCheck.record({
  asks: FastCheck.integer({ min: 0, max: 8 }),
  ends: FastCheck.integer({ min: 0, max: 5 }),
  ways: FastCheck.array(FastCheck.tuple(FastCheck.nat(12), FastCheck.nat(12), anyCondition), {
    maxLength: 20
  })
}).map(({ asks, ends, ways }) => {
  let graph: FlowGraph = emptyGraph
  for (let n = 0; n < asks; n++) graph = addAsk(graph, at)[0]
  for (let n = 0; n < ends; n++) graph = addEnd(graph, at)[0]
  const ids = graph.nodes.map(({ id }) => id)
  for (const [from, to, when] of ways) {
    const [a, b] = [ids[from], ids[to]]
    if (a !== undefined && b !== undefined) graph = connect(graph, a, b, when)[0]
  }
  return graph
})

const overlaps = (graph: FlowGraph) => {
  const boxes = graph.nodes.map(({ id, x = 0, y = 0 }) => ({ id, x, y, h: heightOf(graph, id, templates) }))
  return boxes.flatMap((a, i) =>
    boxes
      .slice(i + 1)
      .filter((b) => Math.abs(a.x - b.x) < nodeWidth && a.y < b.y + b.h && b.y < a.y + a.h)
      .map((b) => `${a.id} ${b.id}`)
  )
}

describe("Tidying", () => {
  test("lays no node over another, whatever the graph", () =>
    FastCheck.assert(FastCheck.property(anyGraph, (graph) => overlaps(tidied(graph, templates)).length === 0)))

  test("changes places and nothing else", () =>
    FastCheck.assert(
      FastCheck.property(anyGraph, (graph) => {
        const before = { name: "a", definition: graph }
        return isolated(before, { name: "a", definition: tidied(graph, templates) }).length === 0
      })
    ))

  test("draws ways of the examples from left to right", () => {
    for (const { content } of examples) {
      const { nodes, edges } = tidied(content.definition, templates)
      const x = new Map(nodes.map((node) => [node.id, node.x ?? 0]))
      expect(edges.filter(({ from, to }) => (x.get(from) ?? 0) >= (x.get(to) ?? 0))).toEqual([])
    }
  })
})

describe("A way", () => {
  const from = { x: 0, y: 0 }
  const to = { x: 600, y: 40 }
  const heights = (path: string) => [...path.matchAll(/-?[\d.]+ (-?[\d.]+)/g)].map(([, y]) => Number(y))

  test("is a plain curve where nothing stands in between", () => {
    expect(route(from, to, [{ x: 200, y: 100, width: 200, height: 50 }])).not.toContain("L")
  })

  test("goes around what does", () => {
    const box = { x: 200, y: -30, width: 200, height: 300 }
    const path = route(from, to, [box])
    expect(path).toContain("L")
    expect(heights(path).every((y) => y < box.y || y > box.y + box.height || y === from.y || y === to.y)).toBe(true)
  })
})

describe("Exits of a question", () => {
  test("hold every way that leaves it, once", () =>
    FastCheck.assert(
      FastCheck.property(anyGraph, (graph) =>
        graph.nodes.every((node) => {
          if (node.kind !== "ask") return true
          const shown = exitsOf(graph, node, templates).flatMap(({ edge }) => (edge === undefined ? [] : [edge.id]))
          const leaving = graph.edges.filter(({ from }) => from === node.id).map(({ id }) => id)
          return JSON.stringify([...shown].sort()) === JSON.stringify(leaving.sort())
        })
      )
    ))
})

describe("Importing", () => {
  const now = { name: "Now", definition: emptyGraph }
  const content = examples[0]?.content ?? now

  const published = { flow: "triage", name: "Triage", description: null, version: 3 }

  test("takes what was exported, what /v1/flows answers, and a bare definition", () => {
    const { definition } = content
    expect(imported(JSON.stringify(content), now)).toEqual(Either.right(content))
    expect(imported(JSON.stringify({ ...published, definition }), now)).toEqual(
      Either.right({ name: "Triage", definition })
    )
    expect(imported(JSON.stringify(definition), now)).toEqual(Either.right({ name: "Now", definition }))
  })

  test("refuses what could not be drawn, and says where it is wrong", () => {
    const [node] = content.definition.nodes
    const refused = (json: string) => Either.getOrElse(Either.flip(imported(json, now)), () => "")
    for (const wrong of [
      [],
      {},
      { schema: 2, nodes: [], edges: [] },
      { schema: 1, nodes: [{}], edges: [] },
      { schema: 1, nodes: [node], edges: [{ id: "a", from: "b", to: "c" }] },
      { schema: 1, nodes: [node], edges: [{ id: "a", from: "b", to: "c", when: { levels: [] } }] }
    ])
      expect(refused(JSON.stringify(wrong))).toContain("not a flow")
    expect(refused(JSON.stringify({ schema: 1, nodes: [node, { ...node, id: 7 }], edges: [] }))).toContain(
      "nodes › 1 › id: Input should be a valid string"
    )
    expect(refused("{")).toContain("not valid JSON")
  })
})

describe("The address of a new flow", () => {
  test("has the letters of its name without their accents", () => {
    expect(["Rückfragen & Größe", "Énergie – São Paulo", "Đánh giá", "東京", "--"].map(slugOf)).toEqual([
      "ruckfragen-grosse",
      "energie-sao-paulo",
      "anh-gia",
      "",
      ""
    ])
  })

  test("is one that can be used, wherever it is cut", () => {
    const cut = [62, 63, 64, 65].map((length) => slugOf(`${"x".repeat(length)} & more`))
    expect(cut.filter((slug) => !Schema.is(FlowSlug)(slug))).toEqual([])
  })
})

describe("Levels", () => {
  const order = ["low", "high"]
  const [asking, first] = addAsk(emptyGraph, at)
  const [ended, end] = addEnd(asking, at)
  const ways = (...taken: ReadonlyArray<ReadonlyArray<string>>) =>
    taken.reduce((graph, levels) => connect(graph, first, end, { levels })[0], ended)
  const taken = (graph: FlowGraph) => graph.edges.map(({ when }) => ("levels" in when ? when.levels : []))
  const turned = (graph: FlowGraph, level: string, on: boolean) => {
    const [edge] = graph.edges
    return edge === undefined ? graph : withLevel(graph, edge, level, on, order)
  }

  test("are taken from the other ways, which go with their last one", () => {
    expect(taken(turned(ways(["low"], ["high", "gone"]), "high", true))).toEqual([["low", "high"], ["gone"]])
    expect(taken(turned(ways(["low"], ["high"]), "high", true))).toEqual([["low", "high"]])
  })

  test("never leave a way without any, even where it names one that is gone", () => {
    expect(taken(turned(ways(["low", "high"]), "low", false))).toEqual([["high"]])
    expect(taken(turned(ways(["gone", "low"]), "low", false))).toEqual([["gone", "low"]])
  })
})

describe("Removing", () => {
  test("leaves no way that hangs in the air", () =>
    FastCheck.assert(
      FastCheck.property(anyGraph, FastCheck.nat(12), (graph, n) => {
        const gone = graph.nodes[n]?.id ?? ""
        const rest = removed(graph, new Set([gone]))
        return rest.start !== gone && rest.edges.every(({ from, to }) => from !== gone && to !== gone)
      })
    ))
})

describe("Telling things by their ids", () => {
  const when = { otherwise: true } as const
  const graph: FlowGraph = {
    schema: 1,
    nodes: [
      { kind: "end", id: "billing", outcome: "billing", x: 0, y: 0 },
      { kind: "end", id: "way-1", outcome: "other", x: 0, y: 0 }
    ],
    edges: [
      { id: "billing", from: "a", to: "billing", when },
      { id: "way-1", from: "a", to: "way-1", when },
      { id: "yes", from: "a", to: "billing", when }
    ]
  }

  test("renames the ways that have the id of a node, and no other", () => {
    expect(told(graph).edges.map(({ id }) => id)).toEqual(["way-2", "way-3", "yes"])
    expect(told(graph).nodes).toEqual(graph.nodes)
  })

  test("renames all but the first of those that have one id", () => {
    const twice = told({
      ...graph,
      nodes: [...graph.nodes, { kind: "end", id: "billing", outcome: "second", x: 0, y: 0 }],
      edges: [...graph.edges, { id: "yes", from: "a", to: "billing", when }]
    })
    expect(twice.nodes.map(({ id }) => id)).toEqual(["billing", "way-1", "outcome-1"])
    expect(twice.edges.map(({ id, to }) => [id, to])).toEqual([
      ["way-2", "billing"],
      ["way-3", "way-1"],
      ["yes", "billing"],
      ["way-4", "billing"]
    ])
  })
})

describe("The name of an id on the canvas", () => {
  const anyId = FastCheck.stringOf(
    FastCheck.oneof(FastCheck.constantFrom('"', "\\", "%", "2", "\n"), FastCheck.char16bits())
  )

  test("stands in a selector as it is, and leads back to the id", () =>
    FastCheck.assert(FastCheck.property(anyId, (id) => !/["\\\p{Cc}]/u.test(drawnId(id)) && idOf(drawnId(id)) === id)))
})

describe("The difference between two states of a flow", () => {
  const changes = (before: Content, after: Content) =>
    isolated(before, after).map(({ sign, what }) => ({ sign, what: what.replace(/[\u2068\u2069]/g, "") }))

  test("names what came, went and changed", () => {
    const [one, first] = addAsk(emptyGraph, at)
    const [two, end] = addEnd(one, at)
    const [three] = connect(two, first, end, { answer: "yes" })
    const named = (definition: FlowGraph) => ({ name: "Flow", definition })
    expect(changes(named(two), named(three))).toEqual([{ sign: "+", what: "New question — yes → outcome-1" }])
    expect(changes(named(three), named(two))).toEqual([{ sign: "−", what: "New question — yes → outcome-1" }])
    const renamed = {
      ...two,
      nodes: two.nodes.map((node) => (node.kind === "end" ? { ...node, outcome: "done" } : node))
    }
    expect(changes(named(two), named(renamed))).toEqual([{ sign: "~", what: "Outcome “done”: was “outcome-1”" }])
    const led = setEdge(three, three.edges[0]?.id ?? "", { when: { answer: "no" } })
    expect(changes(named(three), named(led))).toEqual([
      { sign: "~", what: "New question — no → outcome-1, was New question — yes → outcome-1" }
    ])
  })

  test("says what of a question has changed", () => {
    const [graph, id] = addAsk(emptyGraph, at)
    const asking = (ask: Ask) => ({
      name: "Flow",
      definition: setNode(graph, id, (node) => (node.kind === "ask" ? { ...node, ask } : node))
    })
    const before = asking({ type: "choice", question: "Which?", options: ["a", "b"] })
    const told = (ask: Ask) => changes(before, asking(ask)).map(({ what }) => what)
    expect(told({ type: "choice", question: "Which one?", options: { a: "first", c: null } })).toEqual([
      "Question “New question”: question “Which?” → “Which one?”; options + c, − b"
    ])
    expect(told({ type: "choice", question: "Which?", options: { a: "first", b: null } })).toEqual([
      "Question “New question”: options described or ordered otherwise"
    ])
    expect(told({ type: "choice", question: "Which?", options: ["a", "b"] })).toEqual([])
    expect(told({ options: ["a", "b"], question: "Which?", type: "choice" })).toEqual([])
  })

  test("keeps its direction whatever that of the names is", () => {
    const [one, first] = addAsk(emptyGraph, at)
    const [two, end] = addEnd(one, at)
    const named = (outcome: string) => ({
      name: "Flow",
      definition: setNode(two, end, (node) => (node.kind === "end" ? { ...node, outcome } : node))
    })
    const [led] = connect(named("סוף").definition, first, end, { answer: "yes" })
    expect(isolated(named("סוף"), { name: "Flow", definition: led }).map(({ what }) => what)).toEqual([
      "\u2068New question\u2069 — \u2068yes\u2069 → \u2068סוף\u2069"
    ])
    expect(isolated(named("סוף"), named("התחלה")).map(({ what }) => what)).toEqual([
      "Outcome “\u2068התחלה\u2069”: was “\u2068סוף\u2069”"
    ])
  })
})
