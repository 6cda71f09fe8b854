import { Effect, Schema } from "effect"
import { grams } from "./Grams.ts"

const Head = Schema.Struct({
  languages: Schema.Array(Schema.String),
  buckets: Schema.Int,
  width: Schema.Int,
  /** Divides the logits of texts of up to so many letters; the last one holds for all longer texts. */
  temperatures: Schema.Array(Schema.Struct({ letters: Schema.Number, temperature: Schema.Positive }))
})

/**
 * The classifier has learnt as if as much were written in every language. Of so few letters, mostly one word that several
 * languages have, it tells little itself: roughly how much is written in each counts too.
 */
const FEW = 8
const MUCH: ReadonlySet<string> = new Set([
  "ar",
  "de",
  "es",
  "fr",
  "hi",
  "id",
  "it",
  "ja",
  "nl",
  "pl",
  "pt",
  "ru",
  "tr",
  "zh"
])
const written = (code: string) => (code === "en" ? 10 : MUCH.has(code) ? 3 : 1)

const softmax = (
  logits: ReadonlyArray<number>,
  temperature: number,
  shares: ReadonlyArray<number>
): ReadonlyArray<number> => {
  const highest = Math.max(...logits)
  const weights = logits.map((logit, i) => (shares[i] ?? 1) * Math.exp((logit - highest) / temperature))
  const sum = weights.reduce((a, b) => a + b, 0)
  return weights.map((weight) => weight / sum)
}

/** Tells the language of a text among those that it knows. */
export interface Classifier {
  /** ISO 639-1 codes. */
  readonly languages: ReadonlyArray<string>
  /** Of a text as `normal` makes it, for each language in turn; all alike for one without letters. */
  readonly probabilities: (text: string) => ReadonlyArray<number>
}

/**
 * Reads a classifier: `classifier.json`, and `classifier.bin` with int8 vectors of the buckets, a float32 scale of each,
 * float32 weights of each language, and a float32 bias of each.
 */
export const loadClassifier = (directory: string): Effect.Effect<Classifier> =>
  Effect.gen(function* () {
    const head = yield* Effect.flatMap(
      Effect.promise(() => Bun.file(`${directory}/classifier.json`).json()),
      Schema.decodeUnknown(Head)
    )
    const data = yield* Effect.promise(() => Bun.file(`${directory}/classifier.bin`).arrayBuffer())
    const { languages, buckets, width } = head
    const vectors = new Int8Array(data, 0, buckets * width)
    const scales = new Float32Array(data, buckets * width, buckets)
    const weights = new Float32Array(data, buckets * (width + 4), languages.length * width)
    const biases = new Float32Array(data, buckets * (width + 4) + 4 * languages.length * width, languages.length)

    const alike = languages.map(() => 1)
    const shares = languages.map(written)

    const mean = (ids: ReadonlyArray<number>): Float64Array => {
      const sum = new Float64Array(width)
      for (const id of ids) {
        const scale = scales[id] ?? 0
        for (let i = 0; i < width; i++) sum[i] = (sum[i] ?? 0) + scale * (vectors[id * width + i] ?? 0)
      }
      return sum.map((value) => value / ids.length)
    }

    return {
      languages,
      probabilities: (text) => {
        const ids = grams(text, buckets)
        if (ids.length === 0) return languages.map(() => 1 / languages.length)
        const vector = mean(ids)
        const logits = languages.map((_, language) =>
          vector.reduce((sum, value, i) => sum + value * (weights[language * width + i] ?? 0), biases[language] ?? 0)
        )
        const { temperature = 1 } =
          head.temperatures.find(({ letters }) => text.length <= letters) ?? head.temperatures.at(-1) ?? {}
        return softmax(logits, temperature, text.length <= FEW ? shares : alike)
      }
    } satisfies Classifier
  }).pipe(Effect.orDie)
