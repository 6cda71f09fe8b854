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

/** Runs a graph once; of the feeds it gets those that it has inputs for. */
export const runSession = (session: InferenceSession, feeds: InferenceSession.FeedsType) =>
  Effect.tryPromise({
    try: () =>
      session.run(Object.fromEntries(Object.entries(feeds).filter(([name]) => session.inputNames.includes(name)))),
    catch: (error) => new RunFailed({ message: String(error) })
  })

/** The numbers of one output of a run, all of them finite; a graph of half precision gives half floats. */
export const numbers = (found: InferenceSession.ReturnType, output: string): Effect.Effect<Float32Array, RunFailed> => {
  const given = found[output]
  const data = given?.data instanceof Float16Array ? Float32Array.from(given.data) : given?.data
  if (!(data instanceof Float32Array))
    return new RunFailed({
      message: `the graph gives ${given?.type ?? "no"} ${output}, not float32; choose another graph`
    })
  return data.every(Number.isFinite)
    ? Effect.succeed(data)
    : new RunFailed({ message: `the graph gave no finite ${output}` })
}
