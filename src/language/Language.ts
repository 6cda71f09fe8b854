import { Context, Effect, Layer } from "effect"
import type { Option } from "#schema/Question"
import { loadClassifier } from "./Classifier.ts"

const directory = new URL("../../models/language", import.meta.url).pathname
const names = new Intl.DisplayNames("en", { type: "language" })

/** Tells in which language a text is written. */
export class Language extends Context.Tag("svc/Language")<
  Language,
  {
    /** Names the classifier in answers. */
    readonly name: string
    /** ISO 639-1 codes with their English names. */
    readonly languages: ReadonlyArray<Option>
    /** Calibrated, for each of `languages` in turn; all alike for a text without letters. */
    readonly probabilities: (text: string) => Effect.Effect<ReadonlyArray<number>>
    /** 0 for a language that is not among them. */
    readonly probabilityOf: (code: string, text: string) => Effect.Effect<number>
  }
>() {
  static readonly layer = Layer.effect(
    Language,
    Effect.map(loadClassifier(directory), ({ languages, probabilities }) =>
      Language.of({
        name: "svc-language",
        languages: languages.map((code) => ({ name: code, description: names.of(code) ?? code })),
        probabilities: (text) => Effect.sync(() => probabilities(text)),
        probabilityOf: (code, text) => Effect.sync(() => probabilities(text)[languages.indexOf(code)] ?? 0)
      })
    )
  )
}
