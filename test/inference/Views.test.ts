import { describe, expect, test } from "bun:test"
import { FastCheck as fc } from "effect"
import type { Ids } from "#src/inference/branches/Packing"
import { makeViews } from "#src/inference/branches/Views"

const row = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 })
const runs = fc.array(fc.array(row, { minLength: 1, maxLength: 8 }), { maxLength: 12 })

/** What the graph of these tests sees in a row: two numbers that no other row has. */
const sight = (ids: Ids) => [Number(ids.join("")), ids.length]

describe("views", () => {
  test("give every row its own, reading no row twice while it is kept", () => {
    fc.assert(
      fc.property(runs, (asked) => {
        const views = makeViews(1_000)
        const read = new Set<string>()
        for (const rows of asked) {
          const { known, fresh, places } = views.reading(rows)
          const all = [...known.map((view) => Array.from(view)), ...fresh.map(sight)]
          expect(places.map((place) => all[place])).toEqual(rows.map(sight))
          for (const ids of fresh) {
            expect(read.has(ids.join(" "))).toBe(false)
            read.add(ids.join(" "))
          }
          views.keep(fresh, Float32Array.from(fresh.flatMap(sight)))
        }
      })
    )
  })

  test("of the rows asked for last are kept, no more than told", () => {
    const views = makeViews(2)
    const read = (...rows: ReadonlyArray<Ids>) => {
      const { fresh } = views.reading(rows)
      views.keep(fresh, Float32Array.from(fresh.flatMap(sight)))
      return fresh
    }
    expect(read([1], [2])).toEqual([[1], [2]])
    expect(read([1])).toEqual([])
    expect(read([3])).toEqual([[3]])
    expect(read([1], [2])).toEqual([[2]])
  })

  test("of a run that failed are not kept", () => {
    const views = makeViews(2)
    expect(views.reading([[1]]).fresh).toEqual([[1]])
    expect(views.reading([[1]]).fresh).toEqual([[1]])
  })
})
