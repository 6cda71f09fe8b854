import { describe, expect, test } from "bun:test"
import { FastCheck as fc } from "effect"
import { makeKept } from "#src/inference/branches/Kept"

const steps = fc.array(
  fc.record({
    name: fc.constantFrom("a", "b", "c", "d"),
    weight: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined })
  }),
  { maxLength: 30 }
)

describe("what is kept", () => {
  test("are the last values kept or asked for whose weight is no more than told", () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 8 }), (taken, most) => {
        const kept = makeKept<number>(most, (weight) => weight)
        let model: ReadonlyArray<readonly [string, number]> = []
        for (const { name, weight } of taken) {
          const before = model.find(([other]) => other === name)
          const now = weight ?? before?.[1]
          if (weight === undefined) expect(kept.get(name)).toBe(now)
          else kept.keep(name, weight)
          if (now === undefined) continue
          model = [...model.filter(([other]) => other !== name), [name, now]]
          while (model.reduce((sum, [, held]) => sum + held, 0) > most) model = model.slice(1)
        }
        for (const [name, weight] of model) expect(kept.get(name)).toBe(weight)
        for (const name of ["a", "b", "c", "d"])
          if (!model.some(([held]) => held === name)) expect(kept.get(name)).toBeUndefined()
      })
    )
  })
})
