import { describe, expect, test } from "bun:test"
import { FastCheck as fc } from "effect"
import { canonical } from "#src/inference/Question"

const options = fc.uniqueArray(
  fc.record({ name: fc.string({ maxLength: 5 }), description: fc.string({ maxLength: 5 }) }),
  { minLength: 1, maxLength: 12, selector: ({ name }) => name }
)

describe("canonical", () => {
  test("is the same whatever the order of a choice's options, and tells where each one went", () => {
    fc.assert(
      fc.property(
        options.chain((given) => fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length }))),
        ([given, shuffled]) => {
          const one = canonical({ type: "choice", wording: "which?", options: given })
          const other = canonical({ type: "choice", wording: "which?", options: shuffled })
          expect(other.question).toEqual(one.question)
          expect(one.places.map((place) => one.question.options[place])).toEqual(given)
          expect(other.places.map((place) => other.question.options[place])).toEqual(shuffled)
        }
      )
    )
  })

  test("is the same for options that a model reads alike", () => {
    const options = [{ name: "a", description: "b" }, { name: "a: b" }]
    const one = canonical({ type: "choice", wording: "which?", options })
    const other = canonical({ type: "choice", wording: "which?", options: options.toReversed() })
    expect(other.question).toEqual(one.question)
  })

  test("leaves the levels of a score as they are", () => {
    const levels = [{ name: "low" }, { name: "high" }]
    expect(canonical({ type: "score", wording: "how much?", options: levels })).toEqual({
      question: { type: "score", wording: "how much?", options: levels },
      places: [0, 1]
    })
  })
})
