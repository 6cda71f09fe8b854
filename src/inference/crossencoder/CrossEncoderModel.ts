import { Effect } from "effect"
import { Tensor } from "onnxruntime-node"
import type { CrossEncoder } from "#src/models/Manifest"
import { makeBudget } from "../Budget.ts"
import type { LoadedModel } from "../LoadedModel.ts"
import { RunFailed, TooLong } from "../Protocol.ts"
import { optionText, type Question } from "../Question.ts"
import { closeSession, numbers, openSession, runSession } from "../Session.ts"
import { LEAST_ROOM, longestOf, pad, parts } from "../Tokens.ts"
import { loadPairFrame, loadTokenizer } from "../tokenizer/Tokenizer.ts"
import { framed, frameLength } from "./Frame.ts"

/** Pairs of one run: bounds its memory. */
const ROWS = 16

type Pair = ReturnType<typeof framed>

/** How far the text supports the statement rather than anything else, as log odds. */
const support = (logits: Float32Array, entailment: number): number => {
  const others = Array.from(logits).filter((_, label) => label !== entailment)
  const highest = Math.max(...others)
  const rest = highest + Math.log(others.reduce((sum, logit) => sum + Math.exp(logit - highest), 0))
  return (logits[entailment] ?? 0) - rest
}

/** Loads a model of the `cross-encoder` family: each option makes a statement; its logit is the best support among the text's windows. */
export const loadCrossEncoder = Effect.fn("loadCrossEncoder")(function* (directory: string, manifest: CrossEncoder) {
  const file = `${directory}/${manifest.tokenizer}`
  const encode = yield* loadTokenizer(file)
  const frame = yield* loadPairFrame(file)
  const session = yield* openSession(`${directory}/${manifest.graph}`)
  const [output = "logits"] = session.outputNames

  const supports = (rows: ReadonlyArray<Pair>) =>
    Effect.gen(function* () {
      const { ids, lengths, width } = pad(
        rows.map((row) => row.ids),
        0
      )
      const types = pad(
        rows.map((row) => row.types),
        0
      ).ids
      const mask = new BigInt64Array(ids.length)
      lengths.forEach((length, row) => {
        mask.fill(1n, row * width, row * width + Number(length))
      })
      const shape = [rows.length, width]
      const found = yield* runSession(session, {
        input_ids: new Tensor("int64", ids, shape),
        attention_mask: new Tensor("int64", mask, shape),
        token_type_ids: new Tensor("int64", types, shape)
      })
      const data = yield* numbers(found, output)
      const labels = data.length / rows.length
      if (labels < 2 || manifest.entailment >= labels)
        return yield* new RunFailed({
          message: `the graph gives ${labels} logits for a statement, and none numbered ${manifest.entailment} beside others`
        })
      return rows.map((_, row) => support(data.subarray(row * labels, (row + 1) * labels), manifest.entailment))
    })

  const statement = (question: Question, option: string) =>
    // At once: a wording may say "{option}" itself.
    manifest.statement
      .replace(/\{(question|option)\}/g, (_, part) => (part === "option" ? option : question.wording))
      .trim()

  return {
    release: closeSession(session),
    run: Effect.fnUntraced(function* ({ state, questions }) {
      const text = encode(state)
      const take = makeBudget()
      // All limits before the first run: of a request that is refused nobody pays for what was run.
      const asked = yield* Effect.forEach(questions, (question, place) =>
        Effect.gen(function* () {
          const statements = question.options.map((option) => encode(statement(question, optionText(option))))
          const longest = longestOf(statements)
          const room = manifest.window - frameLength(frame) - longest
          if (room < LEAST_ROOM)
            return yield* new TooLong({
              question: place,
              message: `the question with its longest option takes ${longest} tokens; this model reads ${manifest.window}, text included`
            })
          const pieces = parts(text, room)
          yield* take(
            place,
            statements.length,
            statements.length * pieces.length * (manifest.window - room + longestOf(pieces))
          )
          return { statements, pieces }
        })
      )
      const logits: Array<ReadonlyArray<number>> = []
      for (const { statements, pieces } of asked) {
        const pairs = statements.flatMap((ids) => pieces.map((piece) => framed(frame, piece, ids)))
        const found: Array<number> = []
        for (let at = 0; at < pairs.length; at += ROWS) found.push(...(yield* supports(pairs.slice(at, at + ROWS))))
        logits.push(
          statements.map((_, option) => Math.max(...found.slice(option * pieces.length, (option + 1) * pieces.length)))
        )
      }
      const questionTokens = asked.map(({ statements }) => statements.reduce((sum, ids) => sum + ids.length, 0))
      return { logits, stateTokens: text.length, questionTokens }
    })
  } satisfies LoadedModel
})
