import { Effect } from "effect"
import { Tensor } from "onnxruntime-node"
import type { Branches } from "#src/models/Manifest"
import type { LoadedModel } from "../Family.ts"
import { TooLong } from "../Protocol.ts"
import { closeSession, openSession, runSession } from "../Session.ts"
import { loadTokenizer } from "../tokenizer/Tokenizer.ts"
import { cells, type Ids, pad, places, runs, type Tokenized, tokenize, tokensOf, windows } from "./Packing.ts"

/** Tokens of questions in one run, at some ten kilobytes each while it lasts; the graph itself bounds what attention takes. */
const RUN_TOKENS = 12_000
/** Attention weights of the largest single question that is answered at all. */
const MOST_CELLS = 80_000_000

const feeds = (text: ReadonlyArray<Ids>, questions: ReadonlyArray<Tokenized>, padding: number) => {
  const ids = (name: string, rows: ReadonlyArray<Ids>) => {
    const { ids, lengths, width } = pad(rows, padding)
    return {
      [name]: new Tensor("int64", ids, [rows.length, width]),
      [`${name}_length`]: new Tensor("int64", lengths, [rows.length])
    }
  }
  const options = questions.flatMap((q) => q.options)
  const floats = (values: ReadonlyArray<number>) => new Tensor("float32", Float32Array.from(values), [values.length])
  const owner = questions.flatMap((q, index) => q.options.map(() => BigInt(index)))
  return {
    ...ids("text", text),
    ...ids(
      "question",
      questions.map((q) => q.wording)
    ),
    ...ids("option", options),
    owner: new Tensor("int64", BigInt64Array.from(owner), [owner.length]),
    place: floats(questions.flatMap(places)),
    level: floats(questions.flatMap((q) => q.options.map(() => (q.type === "score" ? 1 : 0))))
  }
}

/** Loads a bundle of the `branches` family: a session on one thread for each of its graphs, and its tokenizer. */
export const loadBranches = Effect.fn("loadBranches")(function* (directory: string, manifest: Branches) {
  const { tokens, limits } = manifest
  const encode = yield* loadTokenizer(`${directory}/${manifest.tokenizer}`)
  const session = yield* openSession(`${directory}/${manifest.graph}`)
  const long = manifest.long === undefined ? session : yield* openSession(`${directory}/${manifest.long}`)
  const logits = (text: ReadonlyArray<Ids>, questions: ReadonlyArray<Tokenized>) =>
    runSession(text.length > 1 ? long : session, feeds(text, questions, tokens.pad), "logits")
  return {
    release: Effect.forEach(new Set([session, long]), closeSession, { discard: true }),
    run: Effect.fnUntraced(function* ({ state, questions }) {
      const ids = encode(state)
      const text = windows(ids, tokens, limits.window)
      const asked = questions.map((question) => tokenize(question, encode, tokens.last))
      for (const [i, question] of asked.entries())
        if (cells(question, ids.length) > MOST_CELLS)
          return yield* new TooLong({
            message: `question ${i + 1} with its options is too long for a text of this length; shorten one of them`
          })
      const answers = new Array<ReadonlyArray<number>>(asked.length)
      for (const part of runs(asked, RUN_TOKENS)) {
        const data = yield* logits(
          text,
          part.flatMap((i) => asked[i] ?? [])
        )
        let at = 0
        for (const i of part) {
          const end = at + (asked[i]?.options.length ?? 0)
          answers[i] = Array.from(data.subarray(at, end))
          at = end
        }
      }
      return { logits: answers, stateTokens: ids.length, questionTokens: asked.map(tokensOf) }
    })
  } satisfies LoadedModel
})
