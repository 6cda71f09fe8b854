import { Cause, Console, Effect } from "effect"
import type { InferenceSession } from "onnxruntime-node"
import { closeSession, openSession } from "../Session.ts"

/** A graph, open for runs. */
export interface OpenGraph {
  /** Opens it first where that failed when it was to be opened anew. */
  readonly session: Effect.Effect<InferenceSession>
  /** Closes and opens it, as a session keeps the most memory that a run has taken. Never fails: only memory is at stake. */
  readonly reopen: Effect.Effect<void>
  readonly close: Effect.Effect<void>
}

/** Opens a graph; from then on it is opened from files that are `unchanged` alone. */
export const openGraph = Effect.fnUntraced(function* <E>(file: string, unchanged: Effect.Effect<unknown, E>) {
  let session: InferenceSession | undefined = yield* openSession(file)
  const open = Effect.tap(openSession(file), (fresh) =>
    Effect.sync(() => {
      session = fresh
    })
  )
  return {
    session: Effect.suspend(() =>
      session === undefined ? Effect.orDie(Effect.zipRight(unchanged, open)) : Effect.succeed(session)
    ),
    reopen: Effect.gen(function* () {
      if (session === undefined) return
      // Where other files have come, the session of those that were there before answers on.
      yield* unchanged
      const used = session
      session = undefined
      yield* closeSession(used)
      yield* open
    }).pipe(
      Effect.catchAllCause((cause) =>
        Console.error(`${file} was not opened anew, to give memory back: ${String(Cause.squash(cause))}`)
      )
    ),
    close: Effect.suspend(() => (session === undefined ? Effect.void : closeSession(session)))
  } satisfies OpenGraph
})
