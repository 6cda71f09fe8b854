import { describe, expect, test } from "bun:test"
import { Either, ParseResult, Schema } from "effect"
import { FlowSlug } from "#schema/FlowDraft"
import { Condition, FlowGraph } from "#schema/FlowGraph"
import { Limits } from "#schema/Limits"
import { details } from "#schema/Validation"

const read = Schema.decodeUnknownEither(FlowGraph)
const wrong = (input: unknown) =>
  Either.match(read(input), {
    onLeft: (error) => details(ParseResult.ArrayFormatter.formatErrorSync(error), "definition"),
    onRight: () => []
  })

const ask = { id: "a", kind: "ask", label: "A?", ask: {} }
const end = { id: "x", kind: "end", outcome: "x" }
const graph = (nodes: ReadonlyArray<unknown>, edges: ReadonlyArray<unknown> = []) => ({ schema: 1, nodes, edges })

describe("a definition", () => {
  test("may be unfinished", () => {
    expect(wrong(graph([]))).toEqual([])
    expect(wrong(graph([ask, end], [{ id: "e", from: "a", to: "q", when: { option: "?" } }]))).toEqual([])
    expect(wrong(graph([{ ...ask, ask: { type: "choice", options: ["only one"] }, x: -4.5, y: 7 }]))).toEqual([])
  })

  test("goes out as it came in, with the options in their order", () => {
    const options = { urgent: "at once", low: null, normal: "soon" }
    const whole = {
      schema: 1 as const,
      start: "a",
      nodes: [{ ...ask, ask: { type: "score", question: "How soon?", options } }, end],
      edges: [{ id: "e", from: "a", to: "x", when: { levels: ["urgent", "low"] } }]
    }
    const sent = JSON.stringify(Schema.encodeSync(FlowGraph)(Schema.decodeUnknownSync(FlowGraph)(whole)))
    expect(sent).toContain(JSON.stringify(options))
    expect(JSON.parse(sent)).toEqual(whole)
  })

  test("says what is wrong with it, all at once", () => {
    expect(
      wrong({
        schema: 2,
        nodes: [
          { ...ask, label: 1 },
          { ...ask, id: "", x: "left" }
        ],
        edges: [{ id: "e", from: "a", when: {} }]
      })
    ).toEqual([
      { loc: ["definition", "schema"], msg: "Input should be 1", type: "literal_error" },
      { loc: ["definition", "nodes", 0, "label"], msg: "Input should be a valid string", type: "string_type" },
      {
        loc: ["definition", "nodes", 1, "id"],
        msg: "String should have at least 1 character",
        type: "string_too_short"
      },
      { loc: ["definition", "nodes", 1, "x"], msg: "Input should be a valid number", type: "float_type" },
      { loc: ["definition", "edges", 0, "to"], msg: "Field required", type: "missing" },
      {
        loc: ["definition", "edges", 0, "when"],
        msg: expect.stringContaining("a condition has one of"),
        type: "value_error"
      }
    ])
  })

  test("says what a node can be", () => {
    const node = ["definition", "nodes", 0]
    expect(wrong(graph([{ ...end, kind: "stop" }]))).toEqual([
      { loc: [...node, "kind"], msg: "Input should be 'ask' or 'end'", type: "literal_error" }
    ])
    expect(wrong(graph([{ id: "x" }]))).toEqual([{ loc: [...node, "kind"], msg: "Field required", type: "missing" }])
  })

  test("is bounded in nodes, edges and characters", () => {
    const { nodes, edges, definition } = Limits.flow
    const many = (count: number, part: (i: number) => unknown) => Array.from({ length: count }, (_, i) => part(i))
    expect(wrong(graph(many(nodes + 1, (i) => ({ ...end, id: `x${i}` }))))).toMatchObject([{ type: "too_long" }])
    const edge = (i: number) => ({ id: `e${i}`, from: "a", to: "x", when: { otherwise: true } })
    expect(wrong(graph([], many(edges + 1, edge)))).toMatchObject([{ type: "too_long" }])
    const wide = { ...ask, ask: { options: ["😀".repeat(definition - 200)] } }
    expect(wrong(graph([wide]))).toEqual([])
    const long = { ...ask, ask: { options: ["x".repeat(definition)] } }
    expect(wrong(graph([long]))).toEqual([
      {
        loc: ["definition"],
        msg: `Value error, a definition should have at most ${definition} characters, written as JSON`,
        type: "value_error"
      }
    ])
  })
})

describe("a condition", () => {
  const holds = Schema.is(Schema.typeSchema(Condition))
  const readable = (input: unknown) => Either.isRight(Schema.decodeUnknownEither(Condition)(input))

  test("is one of five", () => {
    for (const when of [
      { option: "a" },
      { answer: "no" },
      { levels: ["a", "b"] },
      { confidence_below: 1 },
      { otherwise: true }
    ]) {
      expect(readable(when)).toBe(true)
      expect(holds(when)).toBe(true)
    }
  })

  test("is nothing else, and never two at once", () => {
    for (const when of [
      {},
      null,
      "otherwise",
      { option: 1 },
      { answer: "maybe" },
      { levels: [] },
      { confidence_below: 0 },
      { confidence_below: 1.1 },
      { otherwise: false },
      { option: "a", otherwise: true },
      { confidence_below: 0.5, answer: "yes" }
    ])
      expect([when, readable(when)]).toEqual([when, false])
  })
})

test("a slug is small letters, digits and single dashes", () => {
  const is = Schema.is(FlowSlug)
  for (const slug of ["a", "support-triage", "v2", "x".repeat(64)]) expect([slug, is(slug)]).toEqual([slug, true])
  for (const slug of ["", "-a", "a-", "a--b", "A", "a b", "ü", "a/b", "a\u0000", "a\n", "x".repeat(65)])
    expect([slug, is(slug)]).toEqual([slug, false])
})
