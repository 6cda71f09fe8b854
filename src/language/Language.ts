import { Context, Effect, Layer } from "effect"
import type { Option } from "#schema/Question"
import { loadClassifier } from "./Classifier.ts"
import { normal } from "./Grams.ts"

const directory = new URL("../../models/language", import.meta.url).pathname
const names = new Intl.DisplayNames("en", { type: "language" })

/** For a choice of the model, which must not take long, a text is judged by pieces spread over all of it: what stands at its ends may be a frame. */
const PIECES = 18
const PIECE = 100
const sample = (letters: string): string => {
  const last = letters.length - PIECE
  return letters.length <= PIECES * PIECE
    ? letters
    : Array.from({ length: PIECES }, (_, i) => {
        const at = Math.floor((i * last) / (PIECES - 1))
        return letters.slice(at, at + PIECE)
      }).join(" ")
}

/** Classifying a long text takes milliseconds: between two, whatever else waits gets its turn. */
const othersFirst = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** Tells in which language a text is written. */
export class Language extends Context.Tag("svc/Language")<
  Language,
  {
    /** Names the classifier in answers. */
    readonly name: string
    /** ISO 639-1 codes with their English names. */
    readonly languages: ReadonlyArray<Option>
    /** Calibrated, for each of `languages` in turn, by all of the text; all alike for a text without letters. */
    readonly probabilities: (text: string) => Effect.Effect<ReadonlyArray<number>>
    /** Calibrated, a long text by a sample; 0 for a language that is not among them. */
    readonly probabilityOf: (code: string, text: string) => Effect.Effect<number>
  }
>() {
  static readonly layer = Layer.effect(
    Language,
    Effect.gen(function* () {
      const { languages, probabilities } = yield* loadClassifier(directory)
      const oneAtATime = yield* Effect.makeSemaphore(1)
      return Language.of({
        name: "svc-language",
        languages: languages.map((code) => ({ name: code, description: names.of(code) ?? code })),
        probabilities: (text) =>
          oneAtATime.withPermits(1)(Effect.andThen(othersFirst, () => probabilities(normal(text)))),
        probabilityOf: (code, text) =>
          Effect.sync(() => probabilities(sample(normal(text)))[languages.indexOf(code)] ?? 0)
      })
    })
  )
}
