import { Cause, Deferred, Duration, Effect, Exit, Option, Schedule, type Scope } from "effect"
import { Overloaded, Unavailable } from "#schema/Errors"
import { deadlines, type Reader } from "./deadlines.ts"
import { FairQueue } from "./FairQueue.ts"
import { LOADING, overdue } from "./overdue.ts"
import type { ModelPlace, Outcome, RunFailed, Task, TooLong } from "./Protocol.ts"
import { WorkerLost, type WorkerProcess } from "./WorkerProcess.ts"

/** Who a task is for, e.g. account then request: tasks wait in line fairly at each step. */
export type Lane = ReadonlyArray<string>

/** How many workers there are, and how much is asked of them. */
export interface PoolOptions {
  readonly workers: number
  /** Tasks that may wait for a worker. Beyond it the newest of the account that has most in line is refused. */
  readonly queueLimit: number
  /** After this a run about a short text counts as hung; longer ones get more. */
  readonly deadline: Duration.DurationInput
  readonly spawn: Effect.Effect<WorkerProcess, WorkerLost, Scope.Scope>
}

/** Worker processes, and the line of tasks in front of them. */
export interface Pool {
  /** Interrupting it takes the task out of the line; one that runs already ends unheard, and soon. */
  readonly run: (
    lane: Lane,
    task: Task,
    /** The task's model: says how often the text is read, and how much at once. */
    reader?: Reader
  ) => Effect.Effect<Outcome, Overloaded | Unavailable | TooLong>
  readonly status: Effect.Effect<Status>
}

/** How many workers there are to answer, and how long the line is. */
export interface Status {
  /** Workers that can take a task, out of how many there should be. */
  readonly up: number
  readonly workers: number
  /** Tasks that wait for a worker. */
  readonly waiting: number
  /** Models of the start that workers among those up do without. */
  readonly lacking: ReadonlyArray<ModelPlace>
}

interface Item {
  readonly lane: Lane
  readonly task: Task
  readonly reader: Reader
  readonly done: Deferred.Deferred<Outcome, Overloaded | Unavailable | TooLong>
  /** Nobody waits for its outcome any more. */
  readonly abandoned: Deferred.Deferred<void>
  lost: number
}

/** A task that took this many workers down is given up. */
const MOST_LOST = 3
/** Longest wait for an answer, the line included: a batch of the longest texts on few workers takes minutes. */
const PATIENCE = "4 minutes"

/** A lost worker is replaced at once, one that keeps failing once a second. */
const restarts = Schedule.exponential("20 millis").pipe(
  Schedule.union(Schedule.spaced("1 second")),
  Schedule.resetAfter("10 seconds")
)

/**
 * Runs tasks on worker processes. A process that dies is replaced, and its task runs on another. One that hangs is
 * replaced too, but its task is given up: it may well be what hangs, or there is more work than the machine can do.
 */
export const makePool = Effect.fn("makePool")(function* (options: PoolOptions) {
  const queue = new FairQueue<Item>(options.queueLimit)
  const waiting = yield* Effect.makeLatch(false)
  const up = new Map<WorkerProcess, ReadonlyArray<ModelPlace>>()

  const next = Effect.sync(() => {
    const item = queue.take()
    if (queue.size === 0) waiting.unsafeClose()
    return item
  })
  const putBack = (item: Item) =>
    Effect.gen(function* () {
      if (yield* Deferred.isDone(item.abandoned)) return
      if (++item.lost >= MOST_LOST) return yield* Deferred.fail(item.done, Unavailable.of())
      queue.putBack(item.lane, item)
      yield* waiting.open
    })

  const abandon = (item: Item) => Deferred.succeed(item.abandoned, undefined)
  const giveUp = (item: Item) => Effect.zipRight(abandon(item), Deferred.fail(item.done, Unavailable.of()))

  const settle = (item: Item, exit: Exit.Exit<Outcome, TooLong | RunFailed | WorkerLost>) =>
    Exit.matchEffect(exit, {
      onSuccess: (outcome) => Deferred.succeed(item.done, outcome),
      onFailure: (cause) => {
        const error = Option.getOrUndefined(Cause.failureOption(cause))
        switch (error?._tag) {
          case "TooLong":
            return Deferred.fail(item.done, error)
          case "RunFailed":
            return Effect.zipRight(
              Effect.logError(`A model run failed: ${error.message}`),
              Deferred.fail(item.done, Unavailable.of())
            )
          default:
            return putBack(item)
        }
      }
    })

  /** Takes one task, if one waits, and sees it through: only the run itself can be interrupted, never its outcome. */
  const work = (worker: WorkerProcess) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        yield* restore(waiting.await)
        const item = yield* next
        if (item === undefined) return
        const patience = Duration.times(options.deadline, deadlines(item.task, item.reader))
        const hung = Effect.tapError(overdue(worker, patience, "hung in a run"), () => giveUp(item))
        // Long questions may take a model longer than anybody waits; meanwhile it is of no use to those in line.
        const unheard = Effect.zipRight(
          Deferred.await(item.abandoned),
          overdue(worker, options.deadline, "ran on for nobody")
        )
        const exit = yield* Effect.exit(
          restore(Effect.raceFirst(worker.run(item.task), Effect.raceFirst(hung, unheard)))
        )
        yield* settle(item, exit)
        const lost = Exit.isFailure(exit) ? Cause.failureOption(exit.cause) : Option.none()
        if (Option.isSome(lost) && lost.value._tag === "WorkerLost") return yield* lost.value
      })
    )

  const slot = Effect.gen(function* () {
    const worker = yield* options.spawn
    const lacking = yield* worker.ready.pipe(
      Effect.timeoutFail({
        duration: LOADING,
        onTimeout: () => new WorkerLost({ pid: worker.pid, message: "did not load its models" })
      })
    )
    yield* Effect.acquireRelease(
      Effect.sync(() => up.set(worker, lacking)),
      () => Effect.sync(() => up.delete(worker))
    )
    return yield* Effect.raceFirst(Effect.forever(work(worker)), worker.lost)
  }).pipe(
    Effect.scoped,
    Effect.tapError((lost) => Effect.logWarning(`Worker ${lost.pid} ${lost.message}; starting another`)),
    Effect.retry(restarts)
  )

  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      const left: Array<Item> = []
      for (let item = queue.take(); item !== undefined; item = queue.take()) left.push(item)
      return Effect.forEach(left, (item) => Deferred.fail(item.done, Unavailable.of()), { discard: true })
    })
  )
  yield* Effect.replicateEffect(Effect.forkScoped(slot), options.workers, { discard: true })

  const run = Effect.fn("Pool.run")(function* (lane: Lane, task: Task, reader: Reader = { family: "branches" }) {
    const item: Item = {
      lane,
      task,
      reader,
      done: yield* Deferred.make<Outcome, Overloaded | Unavailable | TooLong>(),
      abandoned: yield* Deferred.make<void>(),
      lost: 0
    }
    const enter = Effect.suspend(() => {
      const out = queue.offer(lane, item)
      const refused = out === undefined ? Effect.void : Deferred.fail(out.done, Overloaded.of())
      return Effect.zipRight(refused, waiting.open)
    })
    const outcome = Deferred.await(item.done).pipe(
      Effect.timeoutFail({ duration: PATIENCE, onTimeout: Unavailable.of })
    )
    const leave = Effect.zipRight(
      abandon(item),
      Effect.sync(() => queue.remove(lane, item))
    )
    return yield* Effect.acquireUseRelease(
      enter,
      () => outcome,
      () => leave
    )
  })
  return {
    run,
    status: Effect.sync(() => ({
      up: up.size,
      workers: options.workers,
      waiting: queue.size,
      lacking: [...up.values()].flat()
    }))
  } satisfies Pool
})
