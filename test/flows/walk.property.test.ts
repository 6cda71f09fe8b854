import { describe, expect, test } from "bun:test"
import { Effect, FastCheck as fc } from "effect"
import type { AskNode, FlowEdge, FlowGraph } from "#schema/FlowGraph"
import { measure } from "#src/flows/Measure"
import { Astray, follow, namedBy, walk } from "#src/flows/Walk"
import { answersTo, anyGraph, catalogue, confidences, soundGraph } from "./graphs.ts"

/** Every walk there is: at each question, every answer with every confidence. */
const allWalks = (graph: FlowGraph): ReadonlyArray<ReadonlyArray<string>> => {
  const from = (id: string): ReadonlyArray<ReadonlyArray<string>> => {
    const node = graph.nodes.find((one) => one.id === id)
    if (node?.kind !== "ask") return [[id]]
    const leaving = graph.edges.filter((edge) => edge.from === id)
    const next = new Set(
      answersTo(node.ask).flatMap((answer) => confidences.map((sure) => follow(leaving, answer, sure)?.to ?? "astray"))
    )
    return [...next].flatMap((to) => from(to).map((way) => [id, ...way]))
  }
  return from(graph.start ?? "")
}

const rank = ({ when }: FlowEdge) => ("confidence_below" in when ? when.confidence_below : "otherwise" in when ? 3 : 2)

describe("an answer", () => {
  test("follows the first edge that takes it, by rank: lowest threshold, named answer, otherwise", () => {
    fc.assert(
      fc.property(
        anyGraph,
        fc.constantFrom("a", "b", "yes", "low"),
        fc.constantFrom(...confidences),
        (graph, answer, sure) => {
          const takes = ({ when }: FlowEdge) =>
            "confidence_below" in when
              ? sure < when.confidence_below
              : "otherwise" in when || namedBy(when).includes(answer)
          const expected = graph.edges.filter(takes).toSorted((a, b) => rank(a) - rank(b))[0]
          expect(follow(graph.edges, answer, sure)).toBe(expected)
        }
      ),
      { numRuns: 1000 }
    )
  })
})

describe("a walk over a sound graph", () => {
  test("ends at an end whatever is answered, asking no question twice and no more than the longest path", () => {
    fc.assert(
      fc.property(soundGraph, fc.infiniteStream(fc.nat()), (graph, dice) => {
        const throwDie = <A>(faces: ReadonlyArray<A>): A | undefined => faces[(dice.next().value ?? 0) % faces.length]
        const asked: Array<string> = []
        const ask = ({ id, ask }: AskNode) =>
          Effect.sync(() => {
            asked.push(id)
            return { answer: throwDie(answersTo(ask)) ?? "", confidence: throwDie(confidences) ?? 1 }
          })
        const { end, steps } = Effect.runSync(walk(graph, ask))
        expect(graph.nodes).toContain(end)
        expect(new Set(asked).size).toBe(asked.length)
        expect(steps.map(({ node }) => node.id)).toEqual(asked)
        expect(steps.at(-1)?.edge.to ?? graph.start).toBe(end.id)
        for (const [i, { edge, node, answer }] of steps.entries()) {
          expect(edge.from).toBe(node.id)
          expect(edge.to).toBe(steps[i + 1]?.node.id ?? end.id)
          const leaving = graph.edges.filter(({ from }) => from === node.id)
          expect<FlowEdge | undefined>(edge).toBe(follow(leaving, answer.answer, answer.confidence))
        }
        expect(steps.length).toBeLessThanOrEqual(measure(graph, catalogue).longestPath)
      }),
      { numRuns: 500 }
    )
  })

  test("can come to every node, and its longest path is exactly what is reserved", () => {
    fc.assert(
      fc.property(soundGraph, (graph) => {
        const walks = allWalks(graph)
        expect(new Set(walks.flat())).toEqual(new Set(graph.nodes.map(({ id }) => id)))
        expect(Math.max(...walks.map((way) => way.length - 1))).toBe(measure(graph, catalogue).longestPath)
      }),
      { numRuns: 300 }
    )
  })
})

describe("a walk over any drawing", () => {
  test("ends or goes astray, but never runs in circles", () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const ask = (node: AskNode) => Effect.succeed({ answer: answersTo(node.ask)[0] ?? "", confidence: 1 })
        const outcome = Effect.runSync(Effect.either(walk(graph, ask)))
        if (outcome._tag === "Left") expect(outcome.left).toBeInstanceOf(Astray)
        else expect(outcome.right.end.kind).toBe("end")
      }),
      { numRuns: 500 }
    )
  })

  test("fails as the question fails, and asks nothing more", () => {
    fc.assert(
      fc.property(soundGraph, (graph) => {
        let asked = 0
        const ask = () =>
          Effect.suspend(() => {
            asked++
            return Effect.fail("busy" as const)
          })
        expect(Effect.runSync(Effect.flip(walk(graph, ask)))).toBe("busy")
        expect(asked).toBe(1)
      })
    )
  })
})
