import { createHash } from "node:crypto"
import { Clock, Context, Duration, Effect, Layer } from "effect"
import type { Question } from "../inference/Question.ts"
import { Settings } from "../Settings.ts"

/** An answer as it is kept, with what it took to give it. */
export interface KeptAnswer {
  readonly probabilities: ReadonlyArray<number>
  readonly stateTokens: number
  readonly tokens: number
}

/** What an answer to a question in its canonical order depends on. Accounts never share answers, so that nobody can tell what others ask. */
export const answerKey = (about: {
  readonly accountId: string
  /** The checksum of the model's folder. */
  readonly weights: string
  readonly state: string
  readonly question: Question
}): string => {
  const { accountId, weights, state, question } = about
  return createHash("sha256")
    .update(JSON.stringify([accountId, weights, state, question]))
    .digest("base64url")
}

/** Answers given lately, in memory: at most `CACHE_ENTRIES`, the least recently used go first, none older than `CACHE_SECONDS`. */
export class AnswerCache extends Context.Tag("svc/AnswerCache")<
  AnswerCache,
  {
    readonly get: (key: string) => Effect.Effect<KeptAnswer | undefined>
    readonly set: (key: string, answer: KeptAnswer) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    AnswerCache,
    Effect.map(Settings, ({ cacheEntries, cacheSeconds }) => {
      const kept = new Map<string, { readonly answer: KeptAnswer; readonly until: number }>()
      return AnswerCache.of({
        get: (key) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const entry = kept.get(key)
            if (entry === undefined) return undefined
            kept.delete(key)
            if (entry.until <= now) return undefined
            kept.set(key, entry)
            return entry.answer
          }),
        set: (key, answer) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            kept.delete(key)
            kept.set(key, { answer, until: now + Duration.toMillis(Duration.seconds(cacheSeconds)) })
            for (const oldest of kept.keys()) {
              if (kept.size <= cacheEntries) break
              kept.delete(oldest)
            }
          })
      })
    })
  )
}
