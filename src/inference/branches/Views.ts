import { Array } from "effect"
import type { Ids } from "../Tokens.ts"
import { makeKept } from "./Kept.ts"
import { keyOf } from "./Packing.ts"

/** What a run needs of rows that are read alone: views that are `known`, then those of `fresh` rows, which the run reads itself. */
export interface Reading {
  readonly known: ReadonlyArray<Float32Array>
  /** Options, and wordings that are no options too. */
  readonly fresh: { readonly options: ReadonlyArray<Ids>; readonly wordings: ReadonlyArray<Ids> }
  /** Of each row asked for, its place among known ones, fresh options and fresh wordings together. */
  readonly places: { readonly options: ReadonlyArray<number>; readonly wordings: ReadonlyArray<number> }
}

/**
 * What a graph sees in options and wordings read alone, kept from run to run: it depends on their tokens and on nothing else,
 * and most callers ask the same questions again and again.
 */
export interface Views {
  readonly reading: (options: ReadonlyArray<Ids>, wordings: ReadonlyArray<Ids>) => Reading
  /** Keeps what a run saw in its fresh rows, row after row. */
  readonly keep: (fresh: Reading["fresh"], seen: Float32Array) => void
}

/** Longer rows are rare, and not kept: their keys would take more room than their views. */
const LONGEST = 64

/** Keeps the views of `most` rows: those asked for last. */
export const makeViews = (most: number): Views => {
  const kept = makeKept<Float32Array>(most, () => 1)
  return {
    reading: (options, wordings) => {
      const rows = new Map([...options, ...wordings].map((row) => [keyOf(row), row]))
      const known = new Map<string, Float32Array>()
      for (const name of rows.keys()) {
        const view = kept.get(name)
        if (view !== undefined) known.set(name, view)
      }
      const offered = new Set(options.map(keyOf))
      const fresh = [...rows].filter(([name]) => !known.has(name))
      const [asWordings, asOptions] = Array.partition(fresh, ([name]) => offered.has(name))
      const places = new Map(
        [...known.keys(), ...asOptions.map(([name]) => name), ...asWordings.map(([name]) => name)].map(
          (name, place) => [name, place]
        )
      )
      const placesOf = (some: ReadonlyArray<Ids>) => some.flatMap((row) => places.get(keyOf(row)) ?? [])
      return {
        known: [...known.values()],
        fresh: { options: asOptions.map(([, row]) => row), wordings: asWordings.map(([, row]) => row) },
        places: { options: placesOf(options), wordings: placesOf(wordings) }
      }
    },
    keep: ({ options, wordings }, seen) => {
      const rows = [...options, ...wordings]
      const width = seen.length / rows.length
      for (const [i, row] of rows.entries())
        if (row.length <= LONGEST) kept.keep(keyOf(row), seen.slice(i * width, (i + 1) * width))
    }
  }
}
