import { Effect } from "effect"
import { InferenceSession } from "onnxruntime-node"
import { RunFailed } from "./Protocol.ts"

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

/** Runs a graph once and gives the numbers of one of its outputs, all of them finite. */
export const runSession = (session: InferenceSession, feeds: InferenceSession.FeedsType, output: string) =>
  Effect.tryPromise({
    try: () => session.run(feeds),
    catch: (error) => new RunFailed({ message: String(error) })
  }).pipe(
    Effect.map((found) => found[output]?.data),
    Effect.filterOrFail(
      (data): data is Float32Array => data instanceof Float32Array && data.every(Number.isFinite),
      () => new RunFailed({ message: "the graph gave no finite logits" })
    )
  )
