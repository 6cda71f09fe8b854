import { PCGRandom } from "effect/Utils"

/** Repeatable chance: the same seed draws the same, whatever else was drawn elsewhere. */
export interface Draw {
  readonly below: (n: number) => number
  readonly chance: (share: number) => boolean
  readonly one: <A>(items: readonly [A, ...Array<A>] | ReadonlyArray<A>) => A | undefined
  readonly shuffled: <A>(items: ReadonlyArray<A>) => ReadonlyArray<A>
}

/** The same draws for the same seed. */
export const draw = (seed: string): Draw => {
  const random = new PCGRandom(Bun.hash.crc32(seed))
  const below = (n: number) => Math.floor(random.number() * n)
  return {
    below,
    chance: (share) => random.number() < share,
    one: (items) => items[below(items.length)],
    shuffled: (items) => {
      const out = [...items]
      for (let last = out.length - 1; last > 0; last--) {
        const other = below(last + 1)
        const [a, b] = [out[last], out[other]]
        if (a !== undefined && b !== undefined) [out[last], out[other]] = [b, a]
      }
      return out
    }
  }
}

/** At most `cap` of the rows, as evenly over their languages as these allow. */
export const sample = <A extends { readonly lang: string }>(rows: ReadonlyArray<A>, cap: number, seed: string) => {
  const byLanguage = new Map<string, Array<A>>()
  for (const row of draw(seed).shuffled(rows)) byLanguage.set(row.lang, [...(byLanguage.get(row.lang) ?? []), row])
  const lanes = [...byLanguage.values()]
  const out: Array<A> = []
  for (let turn = 0; out.length < Math.min(cap, rows.length); turn++)
    for (const lane of lanes) {
      const row = lane[turn]
      if (row !== undefined && out.length < cap) out.push(row)
    }
  return out
}
