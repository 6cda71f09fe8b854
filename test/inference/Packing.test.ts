import { describe, expect, test } from "bun:test"
import { FastCheck as fc } from "effect"
import { padded, places, runs, type Tokenized, windows } from "#src/inference/branches/Packing"
import { pad } from "#src/inference/Tokens"

const tokens = { first: 101, last: 102, pad: 0 }
const ids = fc.array(fc.integer({ min: 200, max: 999 }), { maxLength: 700 })
const question = fc.record({
  type: fc.constantFrom("choice" as const, "noul" as const, "score" as const),
  wording: fc.array(fc.constant(7), { minLength: 1, maxLength: 60 }),
  options: fc.array(fc.array(fc.constant(8), { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 20 })
})

describe("windows", () => {
  test("hold every token once, in order, none longer than the limit, of nearly equal length", () => {
    fc.assert(
      fc.property(ids, fc.integer({ min: 3, max: 300 }), (text, limit) => {
        const cut = windows(text, tokens, limit)
        const inner = cut.map((window) => window.slice(1, -1))
        expect(inner.flat()).toEqual(text)
        for (const window of cut) {
          expect([window[0], window.at(-1)]).toEqual([101, 102])
          expect(window.length).toBeLessThanOrEqual(limit)
        }
        if (text.length > 0) expect(inner.every((window) => window.length > 0)).toBe(true)
      })
    )
  })

  test("an empty text is one empty window", () => {
    expect(windows([], tokens, 256)).toEqual([[101, 102]])
  })
})

describe("pad", () => {
  test("keeps rows and their lengths", () => {
    const { ids, lengths, width } = pad([[1, 2, 3], [4]], 9)
    expect([[...ids].map(Number), [...lengths].map(Number), width]).toEqual([[1, 2, 3, 4, 9, 9], [3, 1], 3])
  })
})

describe("places", () => {
  test("of levels run from -1 to 1; options of a choice have none", () => {
    const of = (type: Tokenized["type"], options: number) =>
      places({ type, wording: [7], options: Array(options).fill([8]) })
    expect(of("score", 3)).toEqual([-1, 0, 1])
    expect(of("score", 1)).toEqual([0])
    expect(of("choice", 3)).toEqual([0, 0, 0])
  })
})

describe("runs", () => {
  test("hold every question once; a run over the budget has a single question", () => {
    fc.assert(
      fc.property(fc.array(question, { maxLength: 32 }), fc.integer({ min: 1, max: 2_000 }), (questions, budget) => {
        const parts = runs(questions, budget)
        expect(parts.flat().toSorted((a, b) => a - b)).toEqual(questions.map((_, i) => i))
        for (const part of parts)
          if (part.length > 1) expect(padded(part.flatMap((i) => questions[i] ?? []))).toBeLessThanOrEqual(budget)
      })
    )
  })

  test("are one where the budget allows it", () => {
    const small: Tokenized = { type: "noul", wording: [7, 7], options: [[8], [8]] }
    expect(runs(Array(32).fill(small), 128)).toHaveLength(1)
    expect(runs(Array(32).fill(small), 127)).toHaveLength(2)
  })
})
