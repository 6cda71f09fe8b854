import { homedir } from "node:os"
import { Deferred, Effect, FiberId, Schema, type Scope } from "effect"
import {
  type ModelPlace,
  ModelPlaces,
  type Outcome,
  Reply,
  Request,
  type RunFailed,
  type Task,
  type TooLong
} from "./Protocol.ts"

/** The process ended, whatever the reason, and took its task with it; one that could not even start has the id 0. */
export class WorkerLost extends Schema.TaggedError<WorkerLost>()("WorkerLost", {
  pid: Schema.Int,
  message: Schema.String
}) {}

/** A process that runs one task at a time. */
export interface WorkerProcess {
  readonly pid: number
  /** Its models are loaded, but for those named: their folders hold other files than the server read. */
  readonly ready: Effect.Effect<ReadonlyArray<ModelPlace>, WorkerLost>
  /** Fails when the process ends. */
  readonly lost: Effect.Effect<never, WorkerLost>
  readonly run: (task: Task) => Effect.Effect<Outcome, TooLong | RunFailed | WorkerLost>
  /** Waits while the running task has its model loaded; false at once if it found it loaded. */
  readonly loaded: Effect.Effect<boolean>
}

const file = new URL("./worker.ts", import.meta.url).pathname
const decode = Schema.decodeUnknownSync(Reply)

/** Starts a process that loads these models, and ends it with the scope. */
export const spawn = (models: ReadonlyArray<ModelPlace>): Effect.Effect<WorkerProcess, WorkerLost, Scope.Scope> =>
  Effect.gen(function* () {
    const ready = yield* Deferred.make<ReadonlyArray<ModelPlace>, WorkerLost>()
    const lost = yield* Deferred.make<never, WorkerLost>()
    let running:
      | { readonly id: number; readonly done: Deferred.Deferred<Outcome, TooLong | RunFailed | WorkerLost> }
      | undefined
    let loading: Deferred.Deferred<boolean> | undefined
    let tasks = 0
    const receive = (message: unknown) => {
      const reply = decode(message)
      if (reply._tag === "Ready") return Deferred.unsafeDone(ready, Effect.succeed(reply.lacking))
      if (reply.id !== running?.id) return
      switch (reply._tag) {
        case "Loading":
          loading = Deferred.unsafeMake(FiberId.none)
          return
        case "Loaded":
          return loading && Deferred.unsafeDone(loading, Effect.succeed(true))
        case "Done":
          return Deferred.unsafeDone(running.done, reply.exit)
      }
    }
    const places = yield* Effect.orDie(Schema.encode(ModelPlaces)(models))
    const child = yield* Effect.acquireRelease(
      Effect.try({
        try: () =>
          Bun.spawn([process.execPath, "--no-env-file", file, places], {
            ipc: receive,
            // JSON took half the time of structured clones for large states
            serialization: "json",
            stdio: ["ignore", "inherit", "inherit"],
            // A worker needs none of the server's settings, least of all its secrets, which Bun would also read from a
            // `.env` file; in the home folder Bun keeps what it made of large sources, without which each start takes half
            // as long again.
            // The runtime would otherwise report its use to its maker and keep a database in the home folder.
            env: { HOME: homedir(), ORT_DISABLE_TELEMETRY: "1" },
            onExit: (child, code, signal) => {
              const gone = Effect.fail(
                new WorkerLost({ pid: child.pid, message: `ended with ${signal ?? `exit code ${code}`}` })
              )
              Deferred.unsafeDone(ready, gone)
              Deferred.unsafeDone(lost, gone)
              if (running !== undefined) Deferred.unsafeDone(running.done, gone)
            }
          }),
        // A machine out of processes, files or memory may have some again soon.
        catch: (error) => new WorkerLost({ pid: 0, message: `could not be started (${error})` })
      }),
      (child) =>
        Effect.promise(() => {
          child.kill("SIGKILL")
          return child.exited
        })
    )
    return {
      pid: child.pid,
      ready: Deferred.await(ready),
      lost: Deferred.await(lost),
      run: (task) =>
        Effect.gen(function* () {
          const done = yield* Deferred.make<Outcome, TooLong | RunFailed | WorkerLost>()
          const id = ++tasks
          running = { id, done }
          loading = undefined
          if (yield* Deferred.isDone(lost)) return yield* Deferred.await(lost)
          child.send(yield* Effect.orDie(Schema.encode(Request)({ id, task })))
          return yield* Deferred.await(done)
        }),
      loaded: Effect.suspend(() => (loading === undefined ? Effect.succeed(false) : Deferred.await(loading)))
    } satisfies WorkerProcess
  })
