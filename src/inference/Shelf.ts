import { Effect } from "effect"
import type { LoadedModel } from "./LoadedModel.ts"
import type { ModelPlace } from "./Protocol.ts"

/** The models that a process holds in memory. */
export interface Shelf<E, R> {
  /** Loads a model for good. */
  readonly keep: (place: ModelPlace) => Effect.Effect<LoadedModel, E, R>
  /** The model at this place; `loading` runs around the loading of one that is not there. */
  readonly take: (
    place: ModelPlace,
    loading: <A, E1, R1>(load: Effect.Effect<A, E1, R1>) => Effect.Effect<A, E1, R1>
  ) => Effect.Effect<LoadedModel, E, R>
}

/** Holds what is kept, and of all other models the `most` used last. One caller at a time. */
export const makeShelf = <E, R>(
  load: (place: ModelPlace) => Effect.Effect<LoadedModel, E, R>,
  most: number
): Shelf<E, R> => {
  const kept = new Map<string, LoadedModel>()
  const lent = new Map<string, LoadedModel>()
  const key = ({ directory, checksum }: ModelPlace) => `${checksum} ${directory}`

  const makeRoom = Effect.suspend(() => {
    const [oldest] = lent
    if (oldest === undefined || lent.size < most) return Effect.void
    lent.delete(oldest[0])
    return oldest[1].release
  })

  return {
    keep: (place) => Effect.tap(load(place), (model) => Effect.sync(() => kept.set(key(place), model))),
    take: (place, loading) =>
      Effect.gen(function* () {
        const known = kept.get(key(place))
        if (known !== undefined) return known
        const used = lent.get(key(place))
        if (used === undefined) yield* makeRoom
        const model = used ?? (yield* loading(load(place)))
        lent.delete(key(place))
        lent.set(key(place), model)
        return model
      })
  }
}
