const parts = 1_000_000

/**
 * Probabilities with six decimals whose sum is exactly 1: the millionths that rounding down leaves over
 * go to the largest remainders, so a more probable option never ends below a less probable one. Of equal ones
 * `chosen` is served first: nothing ends above what was chosen.
 */
export const rounded = (probabilities: ReadonlyArray<number>, chosen = 0): ReadonlyArray<number> => {
  const sum = probabilities.reduce((total, p) => total + p, 0)
  const exact = probabilities.map((p) => (sum > 0 ? (p / sum) * parts : parts / probabilities.length))
  const floors = exact.map(Math.floor)
  const left = parts - floors.reduce((total, n) => total + n, 0)
  const byRemainder = exact
    .map((value, index) => ({ index, remainder: value - Math.floor(value), value }))
    .sort(
      (a, b) =>
        b.remainder - a.remainder || b.value - a.value || Number(b.index === chosen) - Number(a.index === chosen)
    )
  for (const { index } of byRemainder.slice(0, left)) floors[index] = (floors[index] ?? 0) + 1
  return floors.map((n) => n / parts)
}

/** As probabilities are shown. */
export const sixDecimals = (value: number) => Math.round(value * parts) / parts

const largest = (values: ReadonlyArray<number>): number =>
  values.reduce((best, value, i) => (value > (values[best] ?? 0) ? i : best), 0)

/** How far the most probable of K options stands above chance, 0 to 1. */
const choiceConfidence = (probabilities: ReadonlyArray<number>): number => {
  const k = probabilities.length
  return k === 1 ? 1 : Math.max(0, (Math.max(...probabilities) - 1 / k) / (1 - 1 / k))
}

/** How closely the levels gather around the most probable one, against levels drawn at random, 0 to 1. */
const scoreConfidence = (probabilities: ReadonlyArray<number>, mode: number): number => {
  const k = probabilities.length
  if (k === 1) return 1
  const spread = probabilities.reduce((sum, p, i) => sum + p * Math.abs(i - mode), 0)
  const chance = probabilities.reduce((sum, _, i) => sum + Math.abs(i - (k - 1) / 2), 0) / k
  return Math.max(0, 1 - spread / chance)
}

/**
 * Of options that are equally probable, as those are that a model reads alike, the one whose name comes last: the order
 * in which they are listed decides nothing, and between yes and no it is yes, as for a yes/no question.
 */
const mostProbable = (names: ReadonlyArray<string>, probabilities: ReadonlyArray<number>): number => {
  const most = Math.max(...probabilities)
  const last = names
    .filter((_, i) => probabilities[i] === most)
    .sort()
    .at(-1)
  return last === undefined ? 0 : names.indexOf(last)
}

/** An answered choice between options of these names: the chosen one, its confidence, and the rounded probabilities. */
export const choice = (names: ReadonlyArray<string>, probabilities: ReadonlyArray<number>) => {
  // Before rounding, which makes some equal that are not.
  const chosen = mostProbable(names, probabilities)
  const shares = rounded(probabilities, chosen)
  return { chosen: names[chosen] ?? "", confidence: sixDecimals(choiceConfidence(shares)), probabilities: shares }
}

/** An answered yes/no question, of the probabilities of yes and no. */
export const yesNo = (probabilities: ReadonlyArray<number>) => {
  const shares = rounded(probabilities)
  const yes = shares[0] ?? 0
  return { yes, confidence: sixDecimals(Math.abs(2 * yes - 1)), probabilities: shares }
}

/** An answered score: the most probable level, the expected level (0-based), confidence and probabilities. */
export const score = (probabilities: ReadonlyArray<number>) => {
  const level = largest(probabilities)
  const shares = rounded(probabilities, level)
  return {
    level,
    score: sixDecimals(shares.reduce((sum, p, level) => sum + p * level, 0)),
    confidence: sixDecimals(scoreConfidence(shares, level)),
    probabilities: shares
  }
}
