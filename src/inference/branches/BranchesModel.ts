import type { FileSystem } from "@effect/platform/FileSystem"
import type { Path } from "@effect/platform/Path"
import { Effect } from "effect"
import type { InferenceSession } from "onnxruntime-node"
import { readUnchanged } from "#src/models/Bundle"
import type { Branches } from "#src/models/Manifest"
import type { LoadedModel } from "../LoadedModel.ts"
import { type ModelPlace, TooLong } from "../Protocol.ts"
import { numbers, runSession } from "../Session.ts"
import type { Ids } from "../Tokens.ts"
import { loadTokenizer } from "../tokenizer/Tokenizer.ts"
import { asked, readAlone } from "./Feeds.ts"
import { makeFront, noFront } from "./Front.ts"
import { openGraph } from "./OpenGraph.ts"
import { cells, padded, runs, type Tokenized, tokenize, tokensOf, windows } from "./Packing.ts"
import { makeViews } from "./Views.ts"

/** Tokens of questions in one run, at some ten kilobytes each while it lasts. */
const RUN_TOKENS = 12_000
/** Attention weights, of each of twelve heads, that a graph for one window works out at once; the graph for long texts takes turns. */
const RUN_CELLS = 600_000
/** Attention weights of the largest single question that is answered at all. */
const MOST_CELLS = 80_000_000
/** And of all questions about one state, which take a core two minutes. */
const ALL_CELLS = 3 * MOST_CELLS

/** Tokens of a text: each takes some 50 kilobytes while it is read. A text of 64,000 characters has seldom more, unless it is made to. */
const MOST_TEXT = 100_000
/** A session keeps the most memory that a run has taken; after a text of so many tokens it is opened anew, which takes a fifth as long as reading one. */
const LARGE_TEXT = 16_000

/** Tokens of all questions about one state, those of each padded: more take a core longer than anybody waits for an answer. */
const MOST_TOKENS = 300_000

/** Options and wordings whose views are kept, at two kilobytes each with what they are found by. */
const KEPT_VIEWS = 4_096

/** Width of the views that a graph takes; absent where it takes none. */
const viewWidth = ({ inputMetadata }: InferenceSession) => {
  const known = inputMetadata.find(({ name }) => name === "known")
  return known?.isTensor && typeof known.shape[1] === "number" ? known.shape[1] : undefined
}

/** Loads a bundle of the `branches` family: a session on one thread for each of its graphs, and its tokenizer. */
export const loadBranches = Effect.fn("loadBranches")(function* (place: ModelPlace, manifest: Branches) {
  const { directory } = place
  const { tokens, limits } = manifest
  const unchanged = Effect.provide(readUnchanged(place), yield* Effect.context<FileSystem | Path>())
  const encode = yield* loadTokenizer(`${directory}/${manifest.tokenizer}`)
  const closing: Array<Effect.Effect<void>> = []
  const release = Effect.suspend(() => Effect.all(closing, { discard: true }))
  const open = Effect.fnUntraced(function* (graph: string) {
    const opened = yield* openGraph(`${directory}/${graph}`, unchanged).pipe(Effect.onError(() => release))
    closing.push(opened.close)
    return opened
  })
  const short = yield* open(manifest.graph)
  const long = manifest.long === undefined ? undefined : yield* open(manifest.long)
  const words = manifest.front === undefined ? undefined : yield* open(manifest.front)
  const front = words === undefined ? noFront : makeFront(yield* words.session, tokens)
  const views = makeViews(KEPT_VIEWS)

  const logits = Effect.fnUntraced(function* (text: ReadonlyArray<Ids>, questions: ReadonlyArray<Tokenized>) {
    const tokensOfText = text.reduce((sum, window) => sum + window.length, 0)
    const large = text.length > 1 || cells(questions, tokensOfText) > RUN_CELLS
    const graph = yield* (large ? (long ?? short) : short).session
    const width = viewWidth(graph)
    const wordings = questions.map((q) => q.wording)
    const options = questions.flatMap((q) => q.options)
    const seen = yield* front(text, [...wordings, ...options])
    const inputs = { ...seen.inputs, ...asked(seen, questions, tokens.pad) }
    if (width === undefined) return yield* numbers(yield* runSession(graph, inputs), "logits")
    const reading = views.reading(options, graph.inputNames.includes("question_view") ? wordings : [])
    const found = yield* runSession(graph, { ...inputs, ...readAlone(seen, reading, width, tokens.pad) })
    views.keep(reading.fresh, yield* numbers(found, "views"))
    return yield* numbers(found, "logits")
  })

  return {
    release,
    run: Effect.fnUntraced(function* ({ state, questions }) {
      const ids = encode(state)
      if (ids.length > MOST_TEXT)
        return yield* new TooLong({
          message: `the text has ${ids.length} tokens, and a model reads ${MOST_TEXT} at most; shorten it`
        })
      const text = windows(ids, tokens, limits.window)
      const each = questions.map((question) => tokenize(question, encode, tokens.last))
      let [taken, worked] = [0, 0]
      for (const [place, question] of each.entries()) {
        const own = cells([question], ids.length)
        const times = own / MOST_CELLS
        if (times > 1)
          return yield* new TooLong({
            question: place,
            message: `the question with its ${question.options.length} options, each as long as the longest, takes ${(Math.ceil(times * 10) / 10).toFixed(1)} times what one question may about a text of ${ids.length} tokens; shorten or leave out options, or shorten the text`
          })
        worked += own
        if (worked > ALL_CELLS)
          return yield* new TooLong({
            question: place,
            message: `the questions up to this one, with their options, take longer about a text of ${ids.length} tokens than an answer may; ask them in several requests, or shorten the text`
          })
        taken += padded([question])
        if (taken > MOST_TOKENS)
          return yield* new TooLong({
            question: place,
            message: `the questions up to this one, with their options, have more than ${MOST_TOKENS} tokens, each option counted as long as its question's longest; ask them in several requests`
          })
      }
      const answers = new Array<ReadonlyArray<number>>(each.length)
      for (const part of runs(each, RUN_TOKENS)) {
        const data = yield* logits(
          text,
          part.flatMap((i) => each[i] ?? [])
        )
        let at = 0
        for (const i of part) {
          const end = at + (each[i]?.options.length ?? 0)
          answers[i] = Array.from(data.subarray(at, end))
          at = end
        }
      }
      if (ids.length > LARGE_TEXT && long !== undefined) yield* long.reopen
      return { logits: answers, stateTokens: ids.length, questionTokens: each.map(tokensOf) }
    })
  } satisfies LoadedModel
})
