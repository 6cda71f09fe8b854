import { describe, expect, test } from "bun:test"
import { Limits } from "#schema/Limits"
import { mostTexts } from "#schema/rpc/Asking"
import { slices } from "#src/cli/slices"

describe("Texts of many calls", () => {
  test("are as many as one call takes", () => {
    const texts = Array.from({ length: 2 * mostTexts + 1 }, (_, i) => String(i))
    expect(slices(texts).map(({ length }) => length)).toEqual([mostTexts, mostTexts, 1])
    expect(slices(texts).flat()).toEqual(texts)
    expect(slices([])).toEqual([])
  })

  for (const [letter, bytes] of [
    ["x", 1],
    ["字", 3],
    ["😀", 4],
    ["\u0001", 6]
  ] as const)
    test(`fill half of what the service reads, where a letter takes ${bytes} bytes, and no more; none of them is cut`, () => {
      const most = Limits.bodyBytes / 2
      const texts = Array.from({ length: Math.ceil((1.5 * most) / (bytes * Limits.text)) }, () =>
        letter.repeat(Limits.text)
      )
      const cut = slices(texts)
      expect(cut).toHaveLength(2)
      // Compared one by one: what they are would fill pages.
      expect(cut.flat().every((text, i) => text === texts[i])).toBe(true)
      const [first = 0, second = 0] = cut.map((slice) => Buffer.byteLength(JSON.stringify(slice)))
      expect(first).toBeWithin(most - bytes * Limits.text - 3, most + 3)
      expect(second).toBeLessThan(first)
    })
})
