import { expect } from "bun:test"
import { FileSystem } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Effect, Layer } from "effect"
import { probabilities } from "#src/inference/Calibration"
import { Inference } from "#src/inference/Inference"
import { trial } from "#src/inference/Trial"
import { readBundle } from "#src/models/Bundle"
import { withLayer } from "../support/effect.ts"
import { placeHub } from "../support/models.ts"

interface Expected {
  readonly text: string
  readonly question: string
  readonly options: ReadonlyArray<string>
  readonly support: ReadonlyArray<number>
}

const names = ["bert-nli", "roberta-nli"]
const folder = (name: string) => new URL(`../fixtures/models/${name}`, import.meta.url).pathname
const models = Effect.provide(
  Effect.forEach(names, (name) => readBundle(folder(name))),
  BunContext.layer
)
const layer = Layer.unwrapEffect(
  Effect.map(models, (models) => Inference.layer({ models, workers: 1, queueLimit: 10, deadline: "20 seconds" }))
)

withLayer(layer)("models from a hub", (it) => {
  for (const name of names)
    it(`${name}: support each option as the method says, in several windows where the text is long`, () =>
      Effect.gen(function* () {
        const { answer } = yield* Inference
        const model = yield* Effect.provide(readBundle(folder(name)), BunContext.layer)
        expect(model.manifest.checkpoint).toBe(name)
        const cases: ReadonlyArray<Expected> = yield* Effect.promise(() =>
          Bun.file(`${folder(name)}/expected.json`).json()
        )
        expect(cases.length).toBeGreaterThan(3)
        for (const { text, question, options, support } of cases) {
          const asked = {
            type: "choice",
            wording: question,
            options: options.map((option) => ({ name: option }))
          } as const
          const { answers } = yield* answer({ model, state: text, questions: [asked], lane: ["test"] })
          const expected = probabilities(support, 1)
          expect(answers[0]?.probabilities).toEqual(expected.map((p) => expect.closeTo(p, 4)))
        }
      }))

  it("reads a wording as it is, even where it says what a statement's template says", () =>
    Effect.gen(function* () {
      const { answer } = yield* Inference
      const model = yield* Effect.provide(readBundle(folder("bert-nli")), BunContext.layer)
      const options = [{ name: "yes" }, { name: "no, not at all" }]
      const asked = (wording: string) => ({ type: "choice", wording, options }) as const
      const questions = [asked("is {option}?"), asked("is { option }?"), asked("is?")]
      const { answers } = yield* answer({ model, state: "text", questions, lane: ["test"] })
      const [named, spaced, other] = answers.map(({ probabilities }) => probabilities)
      expect(named).toEqual([...(spaced ?? [])])
      expect(named).not.toEqual([...(other ?? [])])
    }))

  it("says when a statement leaves no room for the text", () =>
    Effect.gen(function* () {
      const { answer } = yield* Inference
      const model = yield* Effect.provide(readBundle(folder("bert-nli")), BunContext.layer)
      const question = {
        type: "noul",
        wording: "is it? ".repeat(60),
        options: [{ name: "yes" }, { name: "no" }]
      } as const
      const error = yield* Effect.flip(answer({ model, state: "text", questions: [question], lane: ["test"] }))
      expect([error._tag, error.message]).toEqual(["TooLong", expect.stringContaining("this model reads 96")])
    }))

  it("says at once which question would keep it busy longer than anybody waits", () =>
    Effect.gen(function* () {
      const { answer } = yield* Inference
      const model = yield* Effect.provide(readBundle(folder("bert-nli")), BunContext.layer)
      const asked = (count: number) => ({
        type: "choice" as const,
        wording: "which?",
        options: Array.from({ length: count }, (_, i) => ({ name: `option ${i} ${"and more ".repeat(12)}` }))
      })
      const questions = [asked(2), asked(255)]
      const state = "some text ".repeat(6_000)
      const error = yield* Effect.flip(answer({ model, state, questions, lane: ["test"] }))
      expect(error).toMatchObject({ _tag: "TooLong", question: 1 })
      expect(error.message).toMatch(
        /^the question with its 255 options makes this model read \d+ tokens for one request/
      )
    }))

  it("is refused where the graph has no such label, rather than answer by something else", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* placeHub(yield* fs.makeTempDirectoryScoped(), "bert-nli")
      const config = { model_type: "bert", id2label: { 0: "neutral", 3: "entailment" }, max_position_embeddings: 96 }
      yield* fs.writeFileString(`${directory}/config.json`, JSON.stringify(config))
      const { message } = yield* Effect.flip(trial(yield* readBundle(directory)))
      expect(message).toContain("the graph gives 3 logits for a statement, and none numbered 3")
    }).pipe(Effect.scoped, Effect.provide(BunContext.layer)))
})
