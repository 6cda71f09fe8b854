import type { Answer } from "#schema/QuestionSet"
import { percent } from "../format.ts"
import { Bars } from "../ui/Bars.tsx"

/** An answer reduced to what is drawn. */
export interface Shown {
  readonly id: string
  readonly verdict: string
  readonly confidence: number
  readonly shares: ReadonlyArray<readonly [name: string, share: number]>
  readonly chosen: string
  /** What was asked, told without the order of its options; undefined where the answer may depend on that. */
  readonly asked: string | undefined
}

const largest = (shares: Shown["shares"]) =>
  shares.reduce((best, one) => (one[1] > best[1] ? one : best), shares[0] ?? ["", 0])[0]

/** `order` is the order in which the options were asked, `asked` tells everything else. */
export const shownAnswer = (id: string, answer: Answer, order: ReadonlyArray<string>, asked: string): Shown => {
  switch (answer.type) {
    case "noul": {
      const yes = answer.noul
      const verdict = yes >= 0.5 ? "yes" : "no"
      return {
        id,
        verdict,
        confidence: answer.confidence,
        chosen: verdict,
        asked: undefined,
        shares: [
          ["yes", yes],
          ["no", Math.round((1 - yes) * 1e6) / 1e6]
        ]
      }
    }
    case "choice": {
      const known = Object.entries(answer.probabilities)
      const shares = [...order.flatMap((name) => known.filter(([option]) => option === name))]
      return {
        id,
        verdict: answer.choice,
        confidence: answer.confidence,
        shares: shares.length === 0 ? known : shares,
        chosen: answer.choice,
        asked
      }
    }
    case "score": {
      const shares = Object.entries(answer.probabilities).map(
        ([level, share]) => [order[Number(level)] ?? String(answer.legend[level]), share] as const
      )
      const chosen = largest(shares)
      return {
        id,
        verdict: `${chosen} · ${answer.score.toFixed(2)}`,
        confidence: answer.confidence,
        shares,
        chosen,
        asked: undefined
      }
    }
  }
}

/** The largest change of a probability since `before`, where the same was asked with the options in another order. */
export const reordered = (now: Shown, before: Shown | undefined): number | undefined => {
  if (now.asked === undefined || now.asked !== before?.asked) return undefined
  if (now.shares.every(([name], i) => before.shares[i]?.[0] === name)) return undefined
  const old = new Map(before.shares)
  return Math.max(...now.shares.map(([name, share]) => Math.abs(share - (old.get(name) ?? 0))))
}

/** One answer with all its probabilities. */
export const AnswerView = ({ answer, change }: { readonly answer: Shown; readonly change?: number | undefined }) => (
  <article className="answer" aria-label={`Answer to ${answer.id}`}>
    <header>
      <code className="answer-id">{answer.id}</code>
      <strong className="verdict">{answer.verdict}</strong>
      <span className="confidence">confidence {percent(answer.confidence)}</span>
    </header>
    <Bars shares={answer.shares} chosen={answer.chosen} most={12} />
    {change === undefined ? null : (
      <p className="hint reordered">
        {change === 0
          ? "Other order, the same answer to the last digit."
          : `Other order: no probability moved by more than ${change.toFixed(6)}.`}
      </p>
    )}
  </article>
)
