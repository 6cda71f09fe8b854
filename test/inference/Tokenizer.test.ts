import { describe, expect, test } from "bun:test"
import { Effect } from "effect"
import { loadTokenizer } from "#src/inference/tokenizer/Tokenizer"
import { processorTime } from "../support/cpu.ts"

const fixture = (name: string) => new URL(`../fixtures/tokenizers/${name}`, import.meta.url).pathname
const load = (name: string) => Effect.runPromise(loadTokenizer(fixture(name)))

describe.each(["wordpiece", "unigram"])("%s", (name) => {
  test("splits texts of many languages, marks and controls as the original does", async () => {
    const encode = await load(`${name}.json`)
    const lines = (await Bun.file(fixture(`${name}.expected.jsonl`)).text()).trimEnd().split("\n")
    expect(lines.length).toBeGreaterThan(400)
    for (const [text, ids] of lines.map((line) => JSON.parse(line))) expect([text, encode(text)]).toEqual([text, ids])
  })

  test("reads 30,000 characters in milliseconds, whatever they are", async () => {
    const encode = await load(`${name}.json`)
    for (const part of [
      "the parcel never came, ",
      "商品が届かない",
      "a",
      " ",
      "!",
      "e\u0301",
      "\u0301\u0316",
      "👩‍👧"
    ]) {
      const text = part.repeat(Math.ceil(30_000 / part.length))
      expect(processorTime(() => encode(text))).toBeLessThan(150)
    }
  })

  test("reads names of special tokens as text", async () => {
    const encode = await load(`${name}.json`)
    expect(encode("[SEP] </s>").length).toBeGreaterThan(3)
  })
})
