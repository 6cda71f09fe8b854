import type { Ids } from "./Packing.ts"

/** What a run needs of rows that are read alone: views that are `known`, then those of `fresh` rows, which the run reads itself. */
export interface Reading {
  readonly known: ReadonlyArray<Float32Array>
  readonly fresh: ReadonlyArray<Ids>
  /** Of each row asked for, its place among the known and the fresh ones together. */
  readonly places: ReadonlyArray<number>
}

/**
 * What a graph sees in options and wordings read alone, kept from run to run: it depends on their tokens and on nothing else,
 * and most callers ask the same questions again and again.
 */
export interface Views {
  readonly reading: (rows: ReadonlyArray<Ids>) => Reading
  /** Keeps what a run saw in its fresh rows, row after row. */
  readonly keep: (fresh: ReadonlyArray<Ids>, seen: Float32Array) => void
}

const key = (row: Ids) => row.join(" ")

/** Keeps the views of `most` rows: those asked for last. */
export const makeViews = (most: number): Views => {
  const kept = new Map<string, Float32Array>()
  return {
    reading: (rows) => {
      const distinct = new Map(rows.map((row) => [key(row), row]))
      const known = new Map<string, Float32Array>()
      for (const name of distinct.keys()) {
        const view = kept.get(name)
        if (view === undefined) continue
        kept.delete(name)
        kept.set(name, view)
        known.set(name, view)
        distinct.delete(name)
      }
      const places = new Map([...known.keys(), ...distinct.keys()].map((name, place) => [name, place]))
      return {
        known: [...known.values()],
        fresh: [...distinct.values()],
        places: rows.flatMap((row) => places.get(key(row)) ?? [])
      }
    },
    keep: (fresh, seen) => {
      const width = seen.length / fresh.length
      fresh.forEach((row, i) => {
        kept.set(key(row), seen.slice(i * width, (i + 1) * width))
      })
      for (const name of kept.keys()) {
        if (kept.size <= most) break
        kept.delete(name)
      }
    }
  }
}
