import { expect, test } from "bun:test"
import { Limits } from "#schema/Limits"
import { isReadable, lengthOf } from "#src/console/app/length"

test("A text has as many characters as code points, and what is too long is said to be", () => {
  const longest = "😀".repeat(Limits.text)
  expect(["", "a", longest, `${longest}a`].map((text) => [isReadable(text), lengthOf(text)])).toEqual([
    [true, "0 characters"],
    [true, "1 character"],
    [true, "32,000 characters"],
    [false, "32,001 characters: at most 32,000 can be read."]
  ])
  expect(isReadable(`${longest}a`, Limits.renderedState)).toBe(true)
  expect(lengthOf(`${longest}${longest}a`, Limits.renderedState)).toBe("64,001 characters: at most 64,000 can be read.")
})
