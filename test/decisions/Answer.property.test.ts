import { describe, expect, test } from "bun:test"
import { FastCheck as fc } from "effect"
import { choice, score, yesNo } from "#src/decisions/Answer"

const few = fc.constantFrom(1, 2, 3)
const powers = fc
  .tuple(fc.double({ min: 0.1, max: 1, noNaN: true }), fc.nat(12))
  .map(([digits, power]) => digits * 10 ** -power)
const sized = { minLength: 1, maxLength: 255, size: "max" } as const

/** Probabilities of sum 1 for 1 to 255 options: some near nothing beside ones that take nearly all, or many exactly alike. */
const skewed = fc.oneof(fc.array(powers, sized), fc.array(few, sized)).map((weights) => {
  const sum = weights.reduce((a, b) => a + b, 0)
  return weights.map((weight) => weight / sum)
})

const millionths = (shares: ReadonlyArray<number>) => shares.map((share) => Math.round(share * 1_000_000))
const total = (values: ReadonlyArray<number>) => values.reduce((a, b) => a + b, 0)

/** What holds of the probabilities of every answer, of which the one at `chosen` was chosen. */
const sound = (given: ReadonlyArray<number>, shares: ReadonlyArray<number>, chosen: number) => {
  const parts = millionths(shares)
  expect(shares).toEqual(parts.map((part) => part / 1_000_000))
  expect(total(parts)).toBe(1_000_000)
  expect(shares[chosen]).toBe(Math.max(...shares))
  expect(given[chosen]).toBe(Math.max(...given))
  for (const [i, share] of shares.entries()) expect(Math.abs(share - (given[i] ?? 0))).toBeLessThan(0.000001)
}

const isConfidence = (confidence: number) => {
  expect(confidence).toBeWithin(0, 1.000001)
  expect(confidence).toBe(Math.round(confidence * 1_000_000) / 1_000_000)
}

describe("Probabilities of six decimals sum to exactly 1, and the chosen one has the largest", () => {
  test("of a choice, however many options and however skewed", () => {
    fc.assert(
      fc.property(skewed, (given) => {
        const names = given.map((_, i) => `option ${i}`)
        const { chosen, confidence, probabilities } = choice(names, given)
        sound(given, probabilities, names.indexOf(chosen))
        isConfidence(confidence)
      }),
      { numRuns: 500 }
    )
  })

  test("of a score, whose expected level is that of the rounded ones", () => {
    fc.assert(
      fc.property(skewed, (given) => {
        const { level, score: expected, confidence, probabilities } = score(given)
        sound(given, probabilities, level)
        expect(expected).toBe(total(millionths(probabilities).map((part, i) => part * i)) / 1_000_000)
        isConfidence(confidence)
      }),
      { numRuns: 500 }
    )
  })

  test("of yes and no", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (p) => {
        const { yes, confidence, probabilities } = yesNo([p, 1 - p])
        expect(total(millionths(probabilities))).toBe(1_000_000)
        expect(probabilities[0]).toBe(yes)
        expect(confidence).toBe(Math.round(Math.abs(2 * yes - 1) * 1_000_000) / 1_000_000)
      })
    )
  })
})

describe("The confidence, of the probabilities as they are shown,", () => {
  for (const [probabilities, ofScore, ofChoice] of [
    [[1 / 11, 1 / 11, 9 / 11], 0.59091, 0.727273],
    [[1 / 11, 9 / 11, 1 / 11], 0.727273, 0.727273],
    [[0.34, 0.33, 0.33], 0, 0.01],
    [[0.5, 0, 0.5], 0, 0.25],
    [[0, 1, 0, 0], 1, 1],
    [[0.25, 0.25, 0.25, 0.25], 0, 0],
    [[1], 1, 1]
  ] as const)
    test(`of ${probabilities.map((p) => p.toFixed(2)).join(", ")} is ${ofScore} for levels and ${ofChoice} for options`, () => {
      const names = probabilities.map((_, i) => String(i))
      expect([score(probabilities).confidence, choice(names, probabilities).confidence]).toEqual([ofScore, ofChoice])
    })
})
