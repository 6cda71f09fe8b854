import { randomUUID } from "node:crypto"
import { Clock, Duration, Effect, Exit, FiberSet, Schedule } from "effect"
import { type AdmissionRepo, Charge, Entry, Undone } from "./AdmissionRepo.ts"
import { shared } from "./Shared.ts"

const lease = Duration.seconds(30)
const heartbeat = Duration.seconds(5)
/** Nanoseconds after which a lease that was not renewed says that the database takes nothing: three heartbeats. */
const overdue = 15_000_000_000n
/** How long answers are kept for retries. */
export const answersKept = Duration.minutes(10)
/** Longer answers, in characters, are kept by calls of their own, few at a time: hundreds in one would take longer than a statement may. */
const longAnswer = 32 * 1024
const fewLong = 8
/** How long an answer waits for a database that does not take its charge. */
const patience = Duration.seconds(8)
const everySecond = Schedule.spaced("1 second")

/**
 * This process as a holder of reservations: calls of the database that concurrent requests share, the lease that keeps
 * what it holds from being given back by others, and what is to be undone because its outcome is unknown.
 */
export const makeInstance = Effect.fnUntraced(function* (repo: typeof AdmissionRepo.Service) {
  const id = `node_${randomUUID()}`
  const open = new Set<string>()
  /** Charged, and their answers still on their way. */
  const charged = new Set<string>()
  /** Being undone. */
  const doubtful = new Set<string>()
  let sent: Array<string> = []
  let since: string | null = null
  let renewedAt = 0n

  const renew = Effect.suspend(() =>
    repo.sweep({ instance: id, lease, answersKept, known: [...open, ...charged, ...doubtful], since })
  ).pipe(
    Effect.zipWith(Clock.currentTimeNanos, (moment, nanos) => {
      since = moment
      renewedAt = nanos
    })
  )
  yield* renew
  yield* renew.pipe(
    Effect.catchAll(() => Effect.logWarning("could not renew the lease on reservations")),
    Effect.schedule(Schedule.spaced(heartbeat)),
    Effect.forkScoped
  )

  const admit = yield* shared(Entry, (entries) => repo.admit(id, entries))
  const settleAll = (charges: ReadonlyArray<Charge>) => {
    const before = sent
    sent = []
    return repo.settle(id, charges, before)
  }
  const settleShort = yield* shared(Charge, settleAll)
  const settleLong = yield* shared(Charge, settleAll, fewLong)
  const settle = (charge: Charge) => ((charge.body ?? "").length > longAnswer ? settleLong : settleShort)(charge)
  const undo = yield* shared(Undone, repo.undo)
  const undoing = yield* FiberSet.make<boolean>()
  // Nothing runs any more: what was charged has been answered.
  const end = Effect.suspend(() => repo.settle(id, [], [...sent, ...charged]))
  yield* Effect.addFinalizer(() =>
    Effect.zipRight(Effect.ignore(end), FiberSet.awaitEmpty(undoing)).pipe(
      Effect.interruptible,
      Effect.timeoutOption(patience)
    )
  )

  /**
   * What became of the request is unknown here, and it is undone before long: by whoever finds the lease expired, where
   * this instance ends first. Until then it is known, for a sweep only gives back what cannot have been charged.
   */
  const forget = (request_id: string, account: string | null, tries: Schedule.Schedule<unknown> = everySecond) => {
    doubtful.add(request_id)
    return undo({ request_id, account }).pipe(
      Effect.retry(tries),
      Effect.ensuring(Effect.sync(() => doubtful.delete(request_id))),
      // Forgotten where nothing interrupts, it would keep an instance that ends waiting for a database that is gone.
      Effect.interruptible,
      FiberSet.run(undoing),
      Effect.asVoid
    )
  }

  return {
    admit: (entry: Entry) =>
      Effect.suspend(() => {
        open.add(entry.request_id)
        return admit(entry)
      }).pipe(
        Effect.onExit((exit) => {
          if (Exit.isSuccess(exit) && exit.value.granted > 0) return Effect.void
          open.delete(entry.request_id)
          // What orders nothing holds nothing; the same request may order next, and that must not be undone.
          if (Exit.isSuccess(exit) || (entry.wanted === 0 && entry.flow === null)) return Effect.void
          // Nothing of it can have been charged: longer than the lease, whoever sweeps gives it back.
          return forget(entry.request_id, entry.account, Schedule.upTo(everySecond, lease))
        })
      ),
    /** False when the reservation had been given back. A failure means that nothing is, or will stay, charged. */
    settle: (charge: Charge) =>
      settle(charge).pipe(
        charge.decisions === 0
          ? (self) => self
          : Effect.retry(Schedule.spaced("250 millis").pipe(Schedule.upTo(patience))),
        Effect.onExit((exit) => {
          open.delete(charge.request_id)
          if (Exit.isFailure(exit)) return forget(charge.request_id, charge.account)
          // An answer that is kept can still be asked for.
          if (exit.value && charge.decisions > 0 && charge.body === null) charged.add(charge.request_id)
          return Effect.void
        })
      ),
    /** The answer to a charged request has been handed over. */
    sent: (request_id: string) =>
      Effect.sync(() => {
        if (charged.delete(request_id)) sent.push(request_id)
      }),
    /** False when the lease could not be renewed for some time. */
    holds: Effect.map(Clock.currentTimeNanos, (nanos) => nanos - renewedAt < overdue),
    /** There is nobody to take the answer to a charged request. */
    unsent: (request_id: string, account: string) =>
      Effect.suspend(() => (charged.delete(request_id) ? forget(request_id, account) : Effect.void))
  }
})
