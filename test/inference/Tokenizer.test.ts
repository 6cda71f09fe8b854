import { describe, expect, test } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { FileSystem } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Effect } from "effect"
import { loadTokenizer } from "#src/inference/tokenizer/Tokenizer"
import { processorTime } from "../support/cpu.ts"

const fixture = (name: string) => new URL(`../fixtures/tokenizers/${name}`, import.meta.url).pathname
const load = (name: string) => Effect.runPromise(loadTokenizer(fixture(name)))

/** A sign beside what is no space. */
const GLUED = /[\p{So}\p{Sk}]\S|\S[\p{So}\p{Sk}]/u

describe.each(["wordpiece", "unigram"])("%s", (name) => {
  test("splits texts of many languages, marks and controls as the original does", async () => {
    const encode = await load(`${name}.json`)
    const lines = (await Bun.file(fixture(`${name}.expected.jsonl`)).text()).trimEnd().split("\n")
    // Of a word with a sign in it the original reads nothing.
    const alike = lines.map((line) => JSON.parse(line)).filter(([text]) => name !== "wordpiece" || !GLUED.test(text))
    expect(alike.length).toBeGreaterThan(400)
    for (const [text, ids] of alike) expect([text, encode(text)]).toEqual([text, ids])
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
    const blanks = `a${" ".repeat(30_000)}b`
    expect(processorTime(() => encode(blanks))).toBeLessThan(150)
  })

  test("reads names of special tokens as text", async () => {
    const encode = await load(`${name}.json`)
    expect(encode("[SEP] </s>").length).toBeGreaterThan(3)
  })
})

test("a word longer than any that the original reads is read too, and what of it is unknown hides no more than its part", async () => {
  const encode = await load("wordpiece.json")
  const { model } = await Bun.file(fixture("wordpiece.json")).json()
  const unknown = model.vocab[model.unk_token]
  const insult = "youareadirtyidiot"
  const word = insult.repeat(10)
  expect(word.length).toBeGreaterThan(model.max_input_chars_per_word)
  expect(encode(word)).not.toContain(unknown)
  expect(encode(word)).not.toEqual(encode("x".repeat(word.length)))
  expect(encode(word).slice(0, 3)).toEqual(encode(insult).slice(0, 3))
  const pierced = encode(`${word}🗡`.repeat(2))
  expect(pierced.filter((id) => id === unknown).length).toBe(2)
  expect(pierced.length).toBeGreaterThan(20)
})

test("a sign in a word does not hide what stands beside it", async () => {
  const encode = await load("wordpiece.json")
  for (const [glued, apart] of [
    ["you are late😀", "you are late 😀"],
    ["late😀😀late", "late 😀😀 late"],
    ["👩‍👧late", "👩👧 late"]
  ] as const)
    expect([glued, encode(glued)]).toEqual([glued, encode(apart)])
})

/** A tokenizer of the fixtures with changes to its file. */
const changed = (name: string, change: Readonly<Record<string, unknown>>, markers?: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const file = `${yield* fs.makeTempDirectoryScoped()}/tokenizer.json`
    const original = JSON.parse(yield* fs.readFileString(fixture(name)))
    yield* fs.writeFileString(file, JSON.stringify({ ...original, ...change }))
    return yield* loadTokenizer(file, markers)
  }).pipe(Effect.scoped, Effect.provide(BunContext.layer), Effect.runPromise)

test("words that were added to a vocabulary are found, unless they are special or markers", async () => {
  for (const name of ["wordpiece.json", "unigram.json"]) {
    const plain = await load(name)
    const id = 50_000
    const added = (special: boolean) => ({
      added_tokens: [
        { id, content: "covid19", special, normalized: true, single_word: false, lstrip: false, rstrip: false }
      ]
    })
    const encode = await changed(name, added(false))
    expect([name, encode("was it covid19?").filter((token) => token === id)]).toEqual([name, [id]])
    expect(encode("was it flu?")).toEqual(plain("was it flu?"))
    for (const other of [await changed(name, added(true)), await changed(name, added(false), [id])])
      expect(other("was it covid19?")).toEqual(plain("was it covid19?"))
  }
})

test("a tokenizer like XLM-RoBERTa's splits texts as the original does", async () => {
  const { normalizer } = await Bun.file(fixture("unigram.json")).json()
  const encode = await changed("unigram.json", {
    normalizer: normalizer.normalizers[0],
    pre_tokenizer: {
      type: "Sequence",
      pretokenizers: [
        { type: "WhitespaceSplit" },
        { type: "Metaspace", replacement: "▁", prepend_scheme: "always", split: true }
      ]
    }
  })
  for (const [text, ids] of [
    ["  a\u00a0b\u3000c\n\td ", [10, 254, 143, 95]],
    ["العربية لغة جميلة", [7140, 5356, 4871, 996, 1203, 0, 512, 6, 0, 2238, 968, 4270, 512]],
    ["اَلْعَرَبِيَّةُ", [5707, 1518, 4270, 5025, 0, 1518, 5356, 1518, 4871, 3085, 968, 5148, 512, 1677]],
    ["हिन्दी भाषा", [6, 0, 6, 0]],
    ["ﾊﾝｶｸ ｶﾞｷﾞ", [6, 4701, 6847, 2550, 2360, 6, 2550, 0, 2699, 0]],
    ["a▁b ▁c", [10, 254, 143]]
  ] as const)
    expect([text, encode(text)]).toEqual([text, [...ids]])
})

test("a tokenizer like XLM-RoBERTa's, whose words are split before its pieces, reads names of special tokens as text", async () => {
  const folder = await mkdtemp(`${tmpdir()}/tokenizer-`)
  try {
    const split = [{ type: "WhitespaceSplit" }, { type: "Metaspace", replacement: "▁", add_prefix_space: true }]
    const original = await Bun.file(fixture("unigram.json")).json()
    const added_tokens = ["<unk>", "<s>", "</s>"].map((content, id) => ({ id, content, special: true }))
    const read = async (pre_tokenizer: unknown) => {
      await Bun.write(`${folder}/tokenizer.json`, JSON.stringify({ ...original, added_tokens, pre_tokenizer }))
      return Effect.runPromise(loadTokenizer(`${folder}/tokenizer.json`))
    }
    const own = await read(original.pre_tokenizer)
    const encode = await read({ type: "Sequence", pretokenizers: split })
    for (const text of ["</s>", "a <s> b</s><unk>", "ab</s>", "The parcel never came."])
      expect([text, encode(text)]).toEqual([text, own(text)])
  } finally {
    await rm(folder, { recursive: true })
  }
})
