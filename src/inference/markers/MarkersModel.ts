import { Effect } from "effect"
import { Tensor } from "onnxruntime-node"
import type { Markers } from "#src/models/Manifest"
import { makeBudget } from "../Budget.ts"
import type { LoadedModel } from "../LoadedModel.ts"
import { RunFailed, TooLong } from "../Protocol.ts"
import { optionText } from "../Question.ts"
import { closeSession, numbers, openSession, runSession } from "../Session.ts"
import { LEAST_ROOM, longestOf, parts } from "../Tokens.ts"
import { loadAround, loadTokenizer } from "../tokenizer/Tokenizer.ts"
import { type Asked, lengthWithout, type Sequence, sequence } from "./Sequence.ts"

const mean = (one: number, other: number) => (one + other) / 2

/**
 * Loads a model of the `markers` family. Such a graph reads the options as neighbours in one sequence, so their places count:
 * each question is read with its options forwards and backwards, and the logits of both are averaged.
 * Of a long text's windows the best counts, option by option.
 */
export const loadMarkers = Effect.fn("loadMarkers")(function* (directory: string, manifest: Markers) {
  const file = `${directory}/${manifest.tokenizer}`
  const { option, end = option } = manifest.markers
  const encode = yield* loadTokenizer(file, [option, end])
  const around = yield* loadAround(file)
  const session = yield* openSession(`${directory}/${manifest.graph}`)
  const [output = "logits"] = session.outputNames

  /** Logits at the markers of sequences of one length. */
  const logits = Effect.fnUntraced(function* (rows: ReadonlyArray<Sequence>, question: number) {
    const width = rows[0]?.ids.length ?? 0
    const shape = [rows.length, width]
    const filled = (value: bigint) => new Tensor("int64", new BigInt64Array(rows.length * width).fill(value), shape)
    const ids = BigInt64Array.from(
      rows.flatMap((row) => row.ids),
      BigInt
    )
    const found = yield* runSession(session, {
      input_ids: new Tensor("int64", ids, shape),
      attention_mask: filled(1n),
      token_type_ids: filled(0n)
    })
    const data = yield* numbers(found, output)
    const each = data.length / rows.length
    if (manifest.logits === "tokens" && each !== width)
      return yield* new RunFailed({ message: `the graph gave ${each} logits for ${width} tokens` })
    const options = rows[0]?.markers.length ?? 0
    if (each < options)
      return yield* new TooLong({ question, message: `this model tells at most ${each} options apart, not ${options}` })
    return rows.map(({ markers }, row) =>
      markers.map((at, i) => data[row * each + (manifest.logits === "tokens" ? at : i)] ?? 0)
    )
  })

  const read = Effect.fnUntraced(function* (asked: Asked, text: ReadonlyArray<number>, question: number) {
    const backwards = { ...asked, options: asked.options.toReversed() }
    const rows = [asked, backwards].map((one) => sequence(around, manifest, one, text))
    const [forth = [], back = []] = yield* logits(rows, question)
    return forth.map((logit, i) => mean(logit, back[back.length - 1 - i] ?? logit))
  })

  return {
    release: closeSession(session),
    run: Effect.fnUntraced(function* ({ state, questions }) {
      const text = encode(state)
      const take = makeBudget()
      const asked = questions.map(({ wording, options }) => ({
        wording: encode(wording),
        options: options.map((option) => encode(optionText(option)))
      }))
      // All limits before the first run: of a request that is refused nobody pays for what was run.
      const planned = yield* Effect.forEach(asked, (one, question) =>
        Effect.gen(function* () {
          const taken = lengthWithout(around, manifest, one)
          const room = manifest.window - taken
          if (room < LEAST_ROOM)
            return yield* new TooLong({
              question,
              message: `the question with its options takes ${taken} tokens; this model reads ${manifest.window}, text included`
            })
          const pieces = parts(text, room)
          yield* take(question, one.options.length, 2 * pieces.length * (taken + longestOf(pieces)))
          return { one, pieces }
        })
      )
      const answers = yield* Effect.forEach(planned, ({ one, pieces }, question) =>
        Effect.gen(function* () {
          const windows = yield* Effect.forEach(pieces, (part) => read(one, part, question))
          return one.options.map((_, option) => Math.max(...windows.map((found) => found[option] ?? 0)))
        })
      )
      const tokens = ({ wording, options }: Asked) => options.reduce((sum, ids) => sum + ids.length, wording.length)
      return { logits: answers, stateTokens: text.length, questionTokens: asked.map(tokens) }
    })
  } satisfies LoadedModel
})
