import { describe, expect, test } from "bun:test"
import { addAsk, addEnd, connect, emptyGraph, renameAnswers } from "#src/console/app/flows/graph"
import { begun, caveat, edited, namesOf, stored, type Writing } from "#src/console/app/flows/options"
import { option } from "#src/console/app/playground/draft"

const at = { x: 0, y: 0 }

const named = ({ options }: Writing, place: number, name: string) =>
  options.map((one, i) => (i === place ? { ...one, name } : one))

/** Names that an option is given one after the other, as when they are typed; and what ways were told to follow. */
const typed = (from: Writing, place: number, ...names: ReadonlyArray<string>) => {
  let now = from
  const told: Array<readonly [string, string]> = []
  for (const name of names) {
    const next = edited(now, named(now, place, name))
    now = next.now
    told.push(...next.renamed)
  }
  return { now, told }
}

const letters = (word: string) => [...word].map((_, i) => word.slice(0, i + 1))

describe("Options that are being written", () => {
  test("do not take the ways of another whose name they pass through", () => {
    const two = begun(["billing", "other"])
    const { now } = edited(two, [...two.options, option("")])
    const { told } = typed(now, 2, ...letters("billing_question"))
    expect(told.filter(([from, to]) => from === "billing" || to === "billing")).toEqual([])
  })

  test("keep their own ways when they do", () => {
    expect(typed(begun(["1", "10"]), 1, "1", "12").told).toEqual([["10", "12"]])
    expect(typed(begun(["a", "b"]), 0, "", "c", "cd").told).toEqual([
      ["a", "c"],
      ["c", "cd"]
    ])
  })

  test("may swap their names", () => {
    const half = typed(begun(["a", "b"]), 0, "b")
    expect(half.told).toEqual([])
    const { told } = typed(half.now, 1, "", "a")
    expect(told).toEqual([
      ["a", "b"],
      ["b", "a"]
    ])
    const [asking, first] = addAsk(emptyGraph, at)
    const [ended, end] = addEnd(asking, at)
    const [one] = connect(ended, first, end, { option: "a" })
    const [two] = connect(one, first, end, { levels: ["b", "c"] })
    const [three] = connect(two, end, first, { option: "a" })
    expect(renameAnswers(three, first, new Map(told)).edges.map(({ when }) => when)).toEqual([
      { option: "b" },
      { levels: ["a", "c"] },
      { option: "a" }
    ])
  })

  test("stay named by their ways while another has no name yet", () => {
    expect(typed(begun(["", ""]), 0, "a", "b").told).toEqual([["a", "b"]])
  })

  test("lose no description while two have one name, and nothing is stored", () => {
    const described = begun({ good: "fine", bad: null })
    expect(stored(described.options)).toEqual({ good: "fine", bad: null })
    const { now, told } = typed(described, 1, "good")
    expect([stored(now.options), told]).toEqual([undefined, []])
    expect(caveat(now.options, "option")).toContain("Two options have the same name.")
    const after = typed(now, 1, "goods")
    expect([stored(after.now.options), after.told]).toEqual([{ good: "fine", goods: null }, [["bad", "goods"]]])
    expect(stored([...now.options.slice(0, 1), option("")])).toEqual({ good: "fine", "": null })
  })

  test("keep the order in which they are shown, with descriptions too", () => {
    const levels = [option("low"), option("10"), option("2", "second")]
    const kept = [
      { name: "low", description: null },
      { name: "10", description: null },
      { name: "2", description: "second" }
    ]
    expect(stored(levels)).toEqual(kept)
    expect(caveat(levels, "level")).toBeUndefined()
    expect(namesOf(kept)).toEqual(["low", "10", "2"])
    expect(stored(begun(kept).options)).toEqual(kept)
    expect(stored([option("1", "first"), option("2", "second")])).toEqual({ "1": "first", "2": "second" })
  })
})
