import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { ModelPlace } from "#src/inference/Protocol"
import { makeShelf } from "#src/inference/Shelf"
import { effect } from "../support/effect.ts"

const place = (directory: string, checksum = "1"): ModelPlace => ({ directory, checksum })

/** A shelf for two models beside those it keeps, and what happened to models of whose name. */
const scene = Effect.sync(() => {
  const events: Array<string> = []
  const happened = (event: string) =>
    Effect.sync(() => {
      events.push(event)
    })
  const shelf = makeShelf(
    ({ directory, checksum }: ModelPlace) =>
      Effect.as(happened(`load ${directory}${checksum}`), {
        run: () => Effect.die("never run"),
        release: happened(`release ${directory}${checksum}`)
      }),
    2
  )
  const take = (...places: ReadonlyArray<ModelPlace>) =>
    Effect.forEach(places, (one) => shelf.take(one, (load) => load))
  return { events, shelf, take }
})

describe("Shelf", () => {
  effect("holds the models used last, and lets go of the one used longest ago", () =>
    Effect.gen(function* () {
      const { events, take } = yield* scene
      yield* take(place("a"), place("b"), place("a"), place("c"), place("a"), place("b"))
      expect(events).toEqual(["load a1", "load b1", "release b1", "load c1", "release c1", "load b1"])
    })
  )

  effect("never lets go of what it keeps", () =>
    Effect.gen(function* () {
      const { events, shelf, take } = yield* scene
      yield* shelf.keep(place("kept"))
      yield* take(place("a"), place("b"), place("c"), place("kept"))
      expect(events).toEqual(["load kept1", "load a1", "load b1", "release a1", "load c1"])
    })
  )

  effect("loads a folder anew whose files were replaced", () =>
    Effect.gen(function* () {
      const { events, take } = yield* scene
      yield* take(place("a", "1"), place("a", "2"), place("a", "2"))
      expect(events).toEqual(["load a1", "load a2"])
    })
  )
})
