import { describe, expect, test } from "bun:test"
import { FastCheck as fc } from "effect"
import { probabilities, temperatureOf } from "#src/inference/Calibration"

const logits = fc.array(fc.double({ min: -1e4, max: 1e4, noNaN: true }), { minLength: 1, maxLength: 255 })

describe("probabilities", () => {
  test("sum to 1, keep the order of the logits, and soften with the temperature", () => {
    fc.assert(
      fc.property(logits, fc.double({ min: 0.1, max: 10, noNaN: true }), (values, temperature) => {
        const found = probabilities(values, temperature)
        expect(found.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9)
        expect(found.every((p) => p >= 0 && p <= 1)).toBe(true)
        expect(found[values.indexOf(Math.max(...values))]).toBe(Math.max(...found))
        expect(Math.max(...probabilities(values, temperature * 2))).toBeLessThanOrEqual(Math.max(...found) + 1e-12)
      })
    )
  })

  test("one option is certain", () => {
    expect(probabilities([-3.2], 1.7)).toEqual([1])
  })
})

describe("temperatureOf", () => {
  const fitted = [
    { type: "choice", min_options: 2, max_options: 5, temperature: 1.5 },
    { type: "choice", min_options: 6, max_options: 255, temperature: 2 },
    { type: "noul", min_options: 2, max_options: 2, temperature: 0.8 }
  ] as const

  test("goes by type and number of options, and is 1 where nothing was fitted", () => {
    const options = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `option ${i}` }))
    expect(temperatureOf(fitted, { type: "choice", options: options(5) })).toBe(1.5)
    expect(temperatureOf(fitted, { type: "choice", options: options(6) })).toBe(2)
    expect(temperatureOf(fitted, { type: "noul", options: options(2) })).toBe(0.8)
    expect(temperatureOf(fitted, { type: "score", options: options(3) })).toBe(1)
  })

  test("is the same for a yes/no question and for the choice between yes and no", () => {
    const yesNo = [{ name: "no" }, { name: "yes", description: "the text says so" }]
    expect(temperatureOf(fitted, { type: "choice", options: yesNo })).toBe(0.8)
    expect(temperatureOf(fitted, { type: "choice", options: [{ name: "yes" }, { name: "maybe" }] })).toBe(1.5)
  })
})
