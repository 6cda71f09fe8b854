import { describe, expect, test } from "bun:test"
import { FastCheck as fc } from "effect"
import { makeViews, type Views } from "#src/inference/branches/Views"
import type { Ids } from "#src/inference/Tokens"

const row = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 })
const rows = fc.array(row, { minLength: 1, maxLength: 8 })
const runs = fc.array(fc.record({ options: rows, wordings: fc.array(row, { maxLength: 4 }) }), { maxLength: 12 })

/** What the graph of these tests sees in a row: two numbers that no other row has. */
const sight = (ids: Ids) => [Number(ids.join("")), ids.length]

/** One run: what it had to read, which is kept from then on. */
const read = (views: Views, ...options: ReadonlyArray<Ids>) => {
  const { fresh } = views.reading(options, [])
  views.keep(fresh, Float32Array.from(fresh.options.flatMap(sight)))
  return fresh.options
}

describe("views", () => {
  test("give every row its own, reading no row twice while it is kept", () => {
    fc.assert(
      fc.property(runs, (asked) => {
        const views = makeViews(1_000)
        const before = new Set<string>()
        for (const { options, wordings } of asked) {
          const { known, fresh, places } = views.reading(options, wordings)
          const read = [...fresh.options, ...fresh.wordings]
          const all = [...known.map((view) => Array.from(view)), ...read.map(sight)]
          expect(places.options.map((place) => all[place])).toEqual(options.map(sight))
          expect(places.wordings.map((place) => all[place])).toEqual(wordings.map(sight))
          for (const ids of read) {
            expect(before.has(ids.join(" "))).toBe(false)
            before.add(ids.join(" "))
          }
          views.keep(fresh, Float32Array.from(read.flatMap(sight)))
        }
      })
    )
  })

  test("of the rows asked for last are kept, no more than told", () => {
    const views = makeViews(2)
    expect(read(views, [1], [2])).toEqual([[1], [2]])
    expect(read(views, [1])).toEqual([])
    expect(read(views, [3])).toEqual([[3]])
    expect(read(views, [1], [2])).toEqual([[2]])
  })

  test("of long rows, and of a run that failed, are not kept", () => {
    const views = makeViews(2)
    const long = Array.from({ length: 65 }, () => 1)
    expect(read(views, long)).toEqual([long])
    expect(read(views, long)).toEqual([long])
    expect(views.reading([[1]], []).fresh.options).toEqual([[1]])
    expect(views.reading([[1]], []).fresh.options).toEqual([[1]])
  })
})
