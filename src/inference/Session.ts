import { Effect } from "effect"
import { InferenceSession } from "onnxruntime-node"

/** Opens a graph for runs of varying shapes on one thread: the pool's processes share the cores. */
export const openSession = (graph: string): Effect.Effect<InferenceSession> =>
  Effect.promise(() =>
    InferenceSession.create(graph, {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      enableMemPattern: false,
      logSeverityLevel: 3
    })
  )

/** Gives the memory of a graph back. */
export const closeSession = (session: InferenceSession): Effect.Effect<void> => Effect.promise(() => session.release())
