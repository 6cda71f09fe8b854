import { describe, expect } from "bun:test"
import { Deferred, Effect, Fiber, Queue } from "effect"
import { makePool } from "#src/inference/Pool"
import { type Outcome, TooLong } from "#src/inference/Protocol"
import { WorkerLost, type WorkerProcess } from "#src/inference/WorkerProcess"
import { live } from "../support/effect.ts"

const task = (state: string) => ({ model: { directory: "any", checksum: "" }, state, questions: [] })
const outcome = (stateTokens: number): Outcome => ({ logits: [], stateTokens, questionTokens: [] })

/** Workers in this process that tell which task each took and answer when told to. */
const makeWorkers = Effect.gen(function* () {
  const taken = yield* Queue.unbounded<{
    readonly pid: number
    readonly state: string
    readonly done: Deferred.Deferred<Outcome, WorkerLost | TooLong>
  }>()
  let pid = 0
  const spawn = Effect.sync((): WorkerProcess => {
    const own = ++pid
    return {
      pid: own,
      ready: Effect.succeed([]),
      lost: Effect.never,
      loaded: Effect.succeed(false),
      run: ({ state }) =>
        Effect.gen(function* () {
          const done = yield* Deferred.make<Outcome, WorkerLost | TooLong>()
          yield* taken.offer({ pid: own, state, done })
          return yield* Deferred.await(done)
        })
    }
  })
  return { taken, spawn }
})

const lost = (pid: number) => new WorkerLost({ pid, message: "ended with SIGKILL" })

describe("Pool", () => {
  live("runs a task of a lost worker on the worker that replaces it", () =>
    Effect.gen(function* () {
      const { taken, spawn } = yield* makeWorkers
      const pool = yield* makePool({ workers: 1, queueLimit: 4, deadline: "10 seconds", spawn })
      const answer = yield* Effect.fork(pool.run(["a"], task("one")))
      const first = yield* taken.take
      yield* Deferred.fail(first.done, lost(first.pid))
      const second = yield* taken.take
      expect([second.state, second.pid]).toEqual(["one", first.pid + 1])
      yield* Deferred.succeed(second.done, outcome(7))
      expect((yield* Fiber.join(answer)).stateTokens).toBe(7)
    })
  )

  live("gives up a task that took three workers down, and goes on with the next", () =>
    Effect.gen(function* () {
      const { taken, spawn } = yield* makeWorkers
      const pool = yield* makePool({ workers: 1, queueLimit: 4, deadline: "10 seconds", spawn })
      const poison = yield* Effect.fork(Effect.flip(pool.run(["a"], task("poison"))))
      for (let i = 0; i < 3; i++) {
        const { pid, done, state } = yield* taken.take
        expect(state).toBe("poison")
        yield* Deferred.fail(done, lost(pid))
      }
      expect((yield* Fiber.join(poison))._tag).toBe("Unavailable")
      const sound = yield* Effect.fork(pool.run(["a"], task("sound")))
      const { done, state } = yield* taken.take
      expect(state).toBe("sound")
      yield* Deferred.succeed(done, outcome(1))
      yield* Fiber.join(sound)
    })
  )

  live("gives up a task that hangs, and goes on with the next on another worker", () =>
    Effect.gen(function* () {
      const { taken, spawn } = yield* makeWorkers
      const pool = yield* makePool({ workers: 1, queueLimit: 4, deadline: "50 millis", spawn })
      const hung = yield* Effect.fork(Effect.flip(pool.run(["a"], task("hangs"))))
      const first = yield* taken.take
      expect((yield* Fiber.join(hung))._tag).toBe("Unavailable")
      const sound = yield* Effect.fork(pool.run(["a"], task("sound")))
      const second = yield* taken.take
      expect([second.state, second.pid]).toEqual(["sound", first.pid + 1])
      yield* Deferred.succeed(second.done, outcome(1))
      yield* Fiber.join(sound)
    })
  )

  live("ends a run that nobody waits for any more, however long its text, and goes on with the next", () =>
    Effect.gen(function* () {
      const { taken, spawn } = yield* makeWorkers
      const pool = yield* makePool({ workers: 1, queueLimit: 4, deadline: "50 millis", spawn })
      const left = yield* Effect.fork(pool.run(["a"], task("long ".repeat(200_000))))
      const first = yield* taken.take
      yield* Fiber.interrupt(left)
      const next = yield* Effect.fork(pool.run(["b"], task("next")))
      const second = yield* Effect.timeout(taken.take, "3 seconds")
      expect([second.state, second.pid]).toEqual(["next", first.pid + 1])
      yield* Deferred.succeed(second.done, outcome(1))
      yield* Fiber.join(next)
    })
  )

  live("waits longer for a text whose characters stand for many", () =>
    Effect.gen(function* () {
      const { taken, spawn } = yield* makeWorkers
      const pool = yield* makePool({ workers: 1, queueLimit: 4, deadline: "20 millis", spawn })
      const answer = yield* Effect.fork(pool.run(["a"], task("ﷺ".repeat(10_000))))
      const { done } = yield* taken.take
      yield* Effect.sleep("120 millis")
      yield* Deferred.succeed(done, outcome(3))
      expect((yield* Fiber.join(answer)).stateTokens).toBe(3)
    })
  )

  live("tells that a task is too long and keeps the worker", () =>
    Effect.gen(function* () {
      const { taken, spawn } = yield* makeWorkers
      const pool = yield* makePool({ workers: 1, queueLimit: 4, deadline: "10 seconds", spawn })
      const refused = yield* Effect.fork(Effect.flip(pool.run(["a"], task("long"))))
      const first = yield* taken.take
      yield* Deferred.fail(first.done, new TooLong({ question: 0, message: "too long" }))
      expect((yield* Fiber.join(refused))._tag).toBe("TooLong")
      yield* Effect.fork(pool.run(["a"], task("next")))
      expect((yield* taken.take).pid).toBe(first.pid)
    })
  )

  live("refuses at once what the line cannot hold", () =>
    Effect.gen(function* () {
      const { taken, spawn } = yield* makeWorkers
      const pool = yield* makePool({ workers: 1, queueLimit: 2, deadline: "10 seconds", spawn })
      yield* Effect.fork(pool.run(["a"], task("running")))
      yield* taken.take
      yield* Effect.forkAll([pool.run(["a"], task("1")), pool.run(["a"], task("2"))])
      yield* Effect.yieldNow()
      expect((yield* Effect.flip(pool.run(["a"], task("3"))))._tag).toBe("Overloaded")
    })
  )

  live("refuses the newest of whoever fills the line, not the one who comes with little", () =>
    Effect.gen(function* () {
      const { taken, spawn } = yield* makeWorkers
      const pool = yield* makePool({ workers: 1, queueLimit: 2, deadline: "10 seconds", spawn })
      yield* Effect.fork(pool.run(["a", "batch"], task("running")))
      const { done } = yield* taken.take
      yield* Effect.fork(pool.run(["a", "batch"], task("1")))
      const last = yield* Effect.fork(Effect.flip(pool.run(["a", "batch"], task("2"))))
      yield* Effect.yieldNow()
      yield* Effect.fork(pool.run(["b", "single"], task("single")))
      expect((yield* Fiber.join(last))._tag).toBe("Overloaded")
      yield* Deferred.succeed(done, outcome(1))
      const next = yield* taken.take
      yield* Deferred.succeed(next.done, outcome(1))
      expect([next.state, (yield* taken.take).state].sort()).toEqual(["1", "single"])
    })
  )

  live("a batch of 64 holds a later single task back by no more than what runs", () =>
    Effect.gen(function* () {
      const { taken, spawn } = yield* makeWorkers
      const pool = yield* makePool({ workers: 2, queueLimit: 100, deadline: "10 seconds", spawn })
      yield* Effect.forkAll(Array.from({ length: 64 }, (_, i) => pool.run(["a", "batch"], task(`batch ${i}`))))
      const running = [yield* taken.take, yield* taken.take]
      yield* Effect.fork(pool.run(["b", "single"], task("single")))
      yield* Effect.yieldNow()
      for (const { done } of running) yield* Deferred.succeed(done, outcome(1))
      const next = [yield* taken.take, yield* taken.take]
      expect(next.map(({ state }) => state)).toContain("single")
    })
  )

  live("an interrupted task leaves the line, and one that runs frees its waiter", () =>
    Effect.gen(function* () {
      const { taken, spawn } = yield* makeWorkers
      const pool = yield* makePool({ workers: 1, queueLimit: 1, deadline: "10 seconds", spawn })
      const running = yield* Effect.fork(pool.run(["a"], task("running")))
      const { done } = yield* taken.take
      const waiting = yield* Effect.fork(pool.run(["a"], task("waiting")))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(running)
      const next = yield* Effect.fork(pool.run(["a"], task("next")))
      yield* Deferred.succeed(done, outcome(1))
      const after = yield* taken.take
      expect(after.state).toBe("next")
      yield* Deferred.succeed(after.done, outcome(2))
      expect((yield* Fiber.join(next)).stateTokens).toBe(2)
    })
  )

  live("is ready only while a worker is up", () =>
    Effect.gen(function* () {
      const up = yield* Deferred.make<void>()
      const spawn = Effect.succeed<WorkerProcess>({
        pid: 1,
        ready: Effect.as(Deferred.await(up), []),
        lost: Effect.never,
        loaded: Effect.succeed(false),
        run: () => Effect.never
      })
      const pool = yield* makePool({ workers: 1, queueLimit: 1, deadline: "10 seconds", spawn })
      yield* Effect.sleep("10 millis")
      expect((yield* pool.status).up).toBe(0)
      yield* Deferred.succeed(up, undefined)
      yield* Effect.sleep("10 millis")
      expect((yield* pool.status).up).toBe(1)
    })
  )
})
