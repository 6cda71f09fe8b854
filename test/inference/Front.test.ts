import { expect } from "bun:test"
import { BunContext } from "@effect/platform-bun"
import { Context, Effect, Layer } from "effect"
import { type Front, makeFront, noFront } from "#src/inference/branches/Front"
import type { Seen } from "#src/inference/branches/Seen"
import { closeSession, openSession } from "#src/inference/Session"
import type { Ids } from "#src/inference/Tokens"
import { readBundle } from "#src/models/Bundle"
import { withLayer } from "../support/effect.ts"

const tokens = { first: 0, last: 2, pad: 1 }
const folder = new URL("../../models/svc-multilingual", import.meta.url).pathname

/** The layers in front of svc-multilingual, and how often they were run. */
class Reader extends Context.Tag("test/Reader")<
  Reader,
  { readonly front: Front; readonly read: () => ReadonlyArray<number> }
>() {
  static readonly layer = Layer.scoped(
    Reader,
    Effect.gen(function* () {
      const { manifest } = yield* readBundle(folder)
      expect(manifest).toMatchObject({ family: "branches", front: "front.onnx", tokens })
      const session = yield* Effect.acquireRelease(openSession(`${folder}/front.onnx`), closeSession)
      const rows: Array<number> = []
      const run = session.run.bind(session)
      session.run = (feeds: Parameters<typeof run>[0]) => {
        rows.push(feeds.ids?.dims[0] ?? 0)
        return run(feeds)
      }
      return Reader.of({ front: makeFront(session, tokens), read: () => rows.splice(0) })
    })
  ).pipe(Layer.provide(BunContext.layer))
}

const vectors = ({ inputs }: Seen, row: Ids) => {
  const { words } = inputs
  const [, width = 0] = words?.dims ?? []
  const data = words?.data
  return row.flatMap((place) =>
    data instanceof Float32Array ? [...data.subarray(place * width, (place + 1) * width)] : []
  )
}

const apart = (one: ReadonlyArray<number>, other: ReadonlyArray<number>) => {
  expect(one.length).toBe(other.length)
  expect(one.length).toBeGreaterThan(0)
  return Math.max(...one.map((x, i) => Math.abs(x - (other[i] ?? Number.NaN))))
}

const text: ReadonlyArray<Ids> = [
  [0, 500, 600, 700, 2],
  [0, 800, 900, 2]
]
const wording: Ids = [2, 1000, 1100, 1200, 1300]
const option: Ids = [2, 4000, 4100]

withLayer(Reader.layer)("layers in front", (it) => {
  it("see the same in a row whatever is read beside it, and read no wording or option twice", () =>
    Effect.gen(function* () {
      const { front, read } = yield* Reader
      const alone = yield* front(text.slice(1), [option])
      expect(read()).toEqual([2])
      const long = [0, ...Array.from({ length: 250 }, (_, i) => 3000 + i), 2]
      const among = yield* front([...text, long], [wording, option, wording])
      expect(read()).toEqual([3, 1])
      const again = yield* front(text.slice(1), [wording, option])
      expect(read()).toEqual([1])
      for (const seen of [among, again]) {
        const row = seen.alone(option)
        expect(row.length).toBe(option.length + 1)
        expect(apart(vectors(alone, alone.alone(option)), vectors(seen, row))).toBeLessThan(1e-4)
      }
      expect(apart(vectors(alone, alone.text[0] ?? []), vectors(among, among.text[1] ?? []))).toBeLessThan(1e-4)
      expect(apart(vectors(among, among.alone(wording)), vectors(again, again.alone(wording)))).toBe(0)
    }))

  it("begin a branch with what ends the same row alone", () =>
    Effect.gen(function* () {
      const { front } = yield* Reader
      const seen = yield* front(text, [option])
      const [first, ...rest] = seen.alone(option)
      expect(seen.branch(option)).toEqual([...rest.slice(-1), ...rest.slice(0, -1)])
      expect(first).toBeNumber()
      expect(new Set(seen.alone(option)).size).toBe(4)
    }))

  it("are no layers where a graph has word vectors of its own", () =>
    Effect.gen(function* () {
      const seen = yield* noFront(text, [option])
      expect([seen.inputs, seen.text, seen.branch(option), seen.alone(option)]).toEqual([{}, text, option, option])
    }))
})
