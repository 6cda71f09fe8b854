import { Effect } from "effect"
import { type InferenceSession, Tensor } from "onnxruntime-node"
import type { Branches } from "#src/models/Manifest"
import type { RunFailed } from "../Protocol.ts"
import { numbers, runSession } from "../Session.ts"
import type { Ids } from "../Tokens.ts"
import { matrix } from "./Feeds.ts"
import { makeKept } from "./Kept.ts"
import { keyOf } from "./Packing.ts"
import type { Seen } from "./Seen.ts"

/** Reads windows of a text, and wordings and options, each of them alone, before the graph does. */
export type Front = (text: ReadonlyArray<Ids>, rows: ReadonlyArray<Ids>) => Effect.Effect<Seen, RunFailed>

/** For graphs that have word vectors of their own. */
export const noFront: Front = (text) => {
  const same = (row: Ids) => row
  return Effect.succeed({ inputs: {}, text, branch: same, alone: same })
}

/** Attention weights, of each of twelve heads, that are worked out at once, unless a single row has more. */
const CELLS = 400_000
/** As many of them may be of padding: about what takes as long as another run. */
const PADDED = 16_000
/** Numbers in the vectors that are kept, at four bytes each: some 16,000 tokens of wordings and options. */
const KEPT = 6_000_000
/** Longer rows are rare, and not kept. */
const LONGEST = 64

/** A row as it is read, between the ids that stand around a text, and the vectors of its tokens. */
interface Row {
  readonly name: string
  readonly ids: Ids
}
interface Read extends Row {
  readonly words: Float32Array
}

/** Rows of like length together, as many as attention has room for: all are padded to the longest. */
const groups = (rows: ReadonlyArray<Row>) => {
  const out: Array<Array<Row>> = []
  let real = 0
  for (const row of rows.toSorted((one, other) => one.ids.length - other.ids.length)) {
    const group = out.at(-1)
    const own = row.ids.length ** 2
    const all = own * (1 + (group?.length ?? 0))
    if (group !== undefined && all <= CELLS && all - real - own <= PADDED) {
      group.push(row)
      real += own
    } else {
      out.push([row])
      real = own
    }
  }
  return out
}

/** The vectors of some rows one after another, and where those of each are. */
const table = (rows: ReadonlyArray<Read>) => {
  const places = new Map<string, Ids>()
  const words = new Float32Array(rows.reduce((sum, row) => sum + row.words.length, 0))
  let tokens = 0
  let at = 0
  for (const row of rows) {
    const start = tokens
    places.set(
      row.name,
      row.ids.map((_, i) => start + i)
    )
    words.set(row.words, at)
    tokens += row.ids.length
    at += row.words.length
  }
  return { words: new Tensor("float32", words, [tokens, words.length / tokens]), places }
}

/**
 * Layers that read any language in front of a body that reads one. What they see of a wording or an option depends on its tokens
 * and on nothing else, so it is kept from run to run. The ids of the graph behind them are places among the vectors of a run.
 */
export const makeFront = (session: InferenceSession, { first, last, pad }: Branches["tokens"]): Front => {
  const kept = makeKept<Read>(KEPT, ({ words }) => words.length)

  const read = Effect.fnUntraced(function* (rows: ReadonlyArray<Row>) {
    const ids = rows.map((row) => row.ids)
    const found = yield* runSession(session, matrix("ids", ids, pad, { lengths: "length" }))
    const words = yield* numbers(found, "words")
    const width = words.length / ids.reduce((sum, row) => sum + row.length, 0)
    let at = 0
    return rows.map((row): Read => {
      const start = at
      at += row.ids.length * width
      return { ...row, words: words.slice(start, at) }
    })
  })

  return Effect.fnUntraced(function* (text, branches) {
    const windows = text.map((ids, i): Row => ({ name: `window ${i}`, ids }))
    const rows = [...new Map(branches.map((row) => [keyOf(row), [first, ...row.slice(1), last]]))]
    const known = rows.flatMap(([name]) => kept.get(name) ?? [])
    const before = new Set(known.map(({ name }) => name))
    const fresh = rows.flatMap(([name, ids]): ReadonlyArray<Row> => (before.has(name) ? [] : [{ name, ids }]))
    const seen = (yield* Effect.forEach(groups([...windows, ...fresh]), read)).flat()
    const { words, places } = table([...seen, ...known])
    const asked = new Set(fresh.flatMap(({ name, ids }) => (ids.length <= LONGEST ? [name] : [])))
    for (const row of seen) if (asked.has(row.name)) kept.keep(row.name, row)
    const alone = (row: Ids) => places.get(keyOf(row)) ?? []
    return {
      inputs: { words },
      text: windows.map(({ name }) => places.get(name) ?? []),
      // What begins a branch is what ends the same row alone.
      branch: (row) => {
        const whole = alone(row)
        return [...whole.slice(-1), ...whole.slice(1, -1)]
      },
      alone
    }
  })
}
