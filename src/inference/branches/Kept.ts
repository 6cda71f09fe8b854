/** What was kept or asked for last, by name. */
export interface Kept<A> {
  readonly get: (name: string) => A | undefined
  readonly keep: (name: string, value: A) => void
}

/** Keeps values that together weigh no more than `most`. */
export const makeKept = <A>(most: number, weigh: (value: A) => number): Kept<A> => {
  const kept = new Map<string, A>()
  let weight = 0
  const drop = (name: string, value: A) => {
    kept.delete(name)
    weight -= weigh(value)
  }
  return {
    get: (name) => {
      const value = kept.get(name)
      if (value === undefined) return undefined
      kept.delete(name)
      kept.set(name, value)
      return value
    },
    keep: (name, value) => {
      const before = kept.get(name)
      if (before !== undefined) drop(name, before)
      kept.set(name, value)
      weight += weigh(value)
      for (const [oldest, held] of kept) {
        if (weight <= most) break
        drop(oldest, held)
      }
    }
  }
}
