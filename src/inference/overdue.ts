import { type Duration, Effect, identity } from "effect"
import { WorkerLost, type WorkerProcess } from "./WorkerProcess.ts"

/** Longest that a worker may take to load a model. */
export const LOADING = "2 minutes"

/** Fails when a run takes longer than `patience`; the loading of its model has a limit of its own and does not count. */
export const overdue = Effect.fnUntraced(function* (
  worker: WorkerProcess,
  patience: Duration.DurationInput,
  message: string
) {
  yield* Effect.sleep(patience)
  const had = yield* worker.loaded.pipe(
    Effect.timeoutTo({ duration: LOADING, onTimeout: () => false, onSuccess: identity })
  )
  if (had) yield* Effect.sleep(patience)
  return yield* new WorkerLost({ pid: worker.pid, message })
})
