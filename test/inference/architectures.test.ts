import { expect } from "bun:test"
import { BunContext } from "@effect/platform-bun"
import { Effect, Layer } from "effect"
import { probabilities } from "#src/inference/Calibration"
import { Inference } from "#src/inference/Inference"
import { loadTokenizer } from "#src/inference/tokenizer/Tokenizer"
import { readBundle } from "#src/models/Bundle"
import { withLayer } from "../support/effect.ts"

interface Expected {
  readonly cases: ReadonlyArray<{
    readonly text: string
    readonly question: string
    readonly options: ReadonlyArray<string>
    readonly logits: ReadonlyArray<number>
  }>
  readonly tokens: ReadonlyArray<readonly [string, ReadonlyArray<number>]>
}

const names = ["deberta-nli", "modernbert-nli", "gliclass"] as const
const all = [...names, "marked"]
const folder = (name: string) => new URL(`../fixtures/models/${name}`, import.meta.url).pathname
const bundle = (name: string) => Effect.provide(readBundle(folder(name)), BunContext.layer)
const expectedOf = (name: string) =>
  Effect.promise((): Promise<Expected> => Bun.file(`${folder(name)}/expected.json`).json())
const choice = (wording: string, options: ReadonlyArray<string>) =>
  ({ type: "choice", wording, options: options.map((name) => ({ name })) }) as const

const layer = Layer.unwrapEffect(
  Effect.map(Effect.forEach(all, bundle), (models) =>
    Inference.layer({ models, workers: 1, queueLimit: 10, deadline: "20 seconds" })
  )
)

withLayer(layer)("models of a hub, of the true architectures", (it) => {
  const ask = (name: string, state: string, wording: string, options: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const { answer } = yield* Inference
      const model = yield* bundle(name)
      const { answers } = yield* answer({ model, state, questions: [choice(wording, options)], lane: ["test"] })
      return answers[0]?.probabilities ?? []
    })

  for (const name of names) {
    it(`${name}: texts are split as the original does, and none gives a special token`, () =>
      Effect.gen(function* () {
        const { manifest } = yield* bundle(name)
        const markers = manifest.family === "markers" ? [manifest.markers.option] : []
        const encode = yield* loadTokenizer(`${folder(name)}/tokenizer.json`, markers)
        const { tokens } = yield* expectedOf(name)
        expect(tokens.length).toBeGreaterThan(100)
        for (const [text, ids] of tokens) expect([text, encode(text)]).toEqual([text, ids])
      }))

    it(`${name}: answers as its library does, in several windows where the text is long`, () =>
      Effect.gen(function* () {
        const { cases } = yield* expectedOf(name)
        for (const { text, question, options, logits } of cases) {
          const expected = probabilities(logits, 1)
          const found = yield* ask(name, text, question, options)
          expect([question, ...found]).toEqual([question, ...expected.map((p) => expect.closeTo(p, 4))])
          const turned = yield* ask(name, text, question, options.toReversed())
          expect(turned.toReversed()).toEqual([...found])
        }
      }))
  }

  it("gliclass: says which question is too long, and how many options it tells apart", () =>
    Effect.gen(function* () {
      const long = yield* Effect.flip(ask("gliclass", "text", "is it? ".repeat(60), ["yes", "no"]))
      expect([long._tag, long.message]).toEqual(["TooLong", expect.stringContaining("this model reads 96")])
      const many = Array.from({ length: 26 }, (_, i) => String.fromCharCode(97 + i))
      const options = yield* Effect.flip(ask("gliclass", "text", "a", many))
      expect(options.message).toBe("this model tells at most 25 options apart, not 26")
    }))

  it("a graph with a logit for each token is read at the markers, and no option gains by its place", () =>
    Effect.gen(function* () {
      for (const text of ["", "more and ".repeat(200)]) {
        const [one, three, two] = yield* ask("marked", text, "more?", ["one and", "three and", "two and"])
        const expected = probabilities([1, 3, 2], 1)
        expect([one, three, two]).toEqual(expected.map((p) => expect.closeTo(p, 5)))
      }
    }))
})
