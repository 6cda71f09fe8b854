import { Clock, Duration, Effect } from "effect"

/** Bytes of answers that are kept for the retries of one account, in one span of time. */
export const roomForAnswers = 128 * 1024 * 1024

/**
 * Room for `most` bytes of every account, anew after each `span`: for next to nothing, long answers to many keys could
 * fill the database's disk. Returns whether there is room for so many bytes more, which are taken then.
 */
export const makeRoom = (most: number, span: Duration.Duration) => {
  const millis = Duration.toMillis(span)
  /** In the order in which the spans began. */
  const spans = new Map<string, { readonly began: number; readonly taken: number }>()
  return (accountId: string, bytes: number) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      for (const [id, { began }] of spans) {
        // A span that lies ahead is of a clock that has been set back since.
        if (began <= now && now - began < millis) break
        spans.delete(id)
      }
      const { began, taken } = spans.get(accountId) ?? { began: now, taken: 0 }
      if (taken + bytes > most) return false
      spans.set(accountId, { began, taken: taken + bytes })
      return true
    })
}
