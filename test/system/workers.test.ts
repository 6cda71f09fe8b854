import { expect, spyOn } from "bun:test"
import { BunContext } from "@effect/platform-bun"
import { Effect, Either, Fiber, Layer } from "effect"
import { Inference } from "#src/inference/Inference"
import { spawn } from "#src/inference/WorkerProcess"
import { readBundle } from "#src/models/Bundle"
import { live, withLayer } from "#test/support/effect"
import { openOf, workersOf } from "#test/support/processes"

const directory = new URL("../fixtures/models/tiny", import.meta.url).pathname
const question = {
  type: "choice",
  wording: "what is asked?",
  options: [{ name: "refund" }, { name: "cancel", description: "ends the contract" }, { name: "other" }]
} as const

const tiny = Effect.runSync(Effect.cached(readBundle(directory).pipe(Effect.provide(BunContext.layer))))

/** Two processes, and a deadline that a stopped one overruns soon. */
const workers = Layer.unwrapEffect(
  Effect.map(tiny, (model) => Inference.layer({ models: [model], workers: 2, queueLimit: 1000, deadline: "3 seconds" }))
)

const ask = (request = "request") =>
  Effect.flatMap(Effect.all([Inference, tiny]), ([{ answer }, model]) =>
    answer({ model, state: "please refund the money", questions: [question], lane: ["account", request] })
  )

/** Both workers can take a task. */
const bothUp = Effect.gen(function* () {
  const { status } = yield* Inference
  yield* Effect.repeat(Effect.zipLeft(status, Effect.sleep("20 millis")), { until: ({ up }) => up === 2 })
})

/** False if the process is gone already. */
const signal = (pid: number, name: "SIGKILL" | "SIGSTOP" | "SIGSEGV") =>
  Effect.sync(() => Bun.spawnSync(["kill", `-${name}`, String(pid)], { stderr: "ignore" }).success)

withLayer(workers)("Worker processes", (it) => {
  it("answer with probabilities of sum 1, whatever the order of options", () =>
    Effect.gen(function* () {
      const { answer } = yield* Inference
      const model = yield* tiny
      const reversed = { ...question, options: question.options.toReversed() }
      const single = { ...question, options: question.options.slice(0, 1) }
      const { answers, stateTokens } = yield* answer({
        model,
        state: "please refund the money",
        questions: [question, reversed, single],
        lane: ["a"]
      })
      const [first, second, third] = answers.map(({ probabilities }) => probabilities)
      expect(stateTokens).toBeGreaterThan(3)
      expect(first?.reduce((a, b) => a + b)).toBeCloseTo(1, 12)
      expect(second?.toReversed()).toEqual([...(first ?? [])])
      expect(third).toEqual([1])
      const open = workersOf(process.pid).flatMap(openOf)
      expect(open.filter((path) => path.includes("onnxruntime.db") || path.includes("mat-debug"))).toEqual([])
    }))

  it("no request fails while each worker is killed in turn", () =>
    Effect.gen(function* () {
      yield* bothUp
      const expected = yield* ask()
      const load = yield* Effect.fork(
        Effect.forEach(
          Array.from({ length: 600 }, (_, i) => i),
          (i) => ask(String(i)),
          { concurrency: 20 }
        )
      )
      for (const name of ["SIGKILL", "SIGSEGV"] as const)
        for (const pid of workersOf(process.pid)) {
          yield* Effect.sleep("40 millis")
          yield* signal(pid, name)
        }
      const answers = yield* Fiber.join(load)
      for (const answer of answers) expect(answer).toEqual(expected)
      yield* bothUp
    }))

  it("a stopped worker loses only the task it had: the others run elsewhere, and it is replaced after the deadline", () =>
    Effect.gen(function* () {
      yield* bothUp
      const [stopped] = workersOf(process.pid)
      if (stopped === undefined) return yield* Effect.fail("no worker")
      yield* signal(stopped, "SIGSTOP")
      const asked = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => Effect.either(ask()), {
        concurrency: "unbounded"
      })
      expect(asked.flatMap(Either.match({ onLeft: ({ _tag }) => [_tag], onRight: () => [] }))).toEqual(["Unavailable"])
      yield* bothUp
      expect(workersOf(process.pid)).not.toContain(stopped)
    }))

  it("read a text of 32,000 characters and 255 options whole", () =>
    Effect.gen(function* () {
      const { answer } = yield* Inference
      const model = yield* tiny
      const options = Array.from({ length: 255 }, (_, i) => ({ name: `option ${i}` }))
      const text = "lorem ipsum ".repeat(3000).slice(0, 31_990)
      const [plain, changed] = yield* Effect.forEach([text, `${text} refund 1`], (state) =>
        answer({ model, state, questions: [{ ...question, options }, question], lane: ["a"] })
      )
      expect(plain?.answers[0]?.probabilities.length).toBe(255)
      expect(plain?.answers[1]?.probabilities).not.toEqual(changed?.answers[1]?.probabilities)
    }))

  it("refuse questions that would take longer than anybody waits", () =>
    Effect.gen(function* () {
      const { answer } = yield* Inference
      const options = Array.from({ length: 255 }, (_, i) => ({ name: `${i} ${"a ".repeat(199)}` }))
      const questions = Array.from({ length: 6 }, () => ({ ...question, options }))
      const error = yield* Effect.flip(answer({ model: yield* tiny, state: "", questions, lane: ["a"] }))
      expect(error).toMatchObject({
        _tag: "TooLong",
        question: 5,
        message: expect.stringContaining("ask them in several")
      })
    }))

  it("are replaced once the machine can start a process again", () =>
    Effect.gen(function* () {
      yield* bothUp
      const full = spyOn(Bun, "spawn").mockImplementation(() => {
        throw new Error("too many open files")
      })
      for (const pid of workersOf(process.pid)) yield* signal(pid, "SIGKILL")
      const tries = Effect.delay(
        Effect.sync(() => full.mock.calls.length),
        "20 millis"
      )
      yield* Effect.repeat(tries, { until: (count) => count >= 2 })
      full.mockRestore()
      yield* bothUp
    }))
})

live(
  "a worker without the folder of one of its models answers by the others; without any it ends",
  () =>
    Effect.gen(function* () {
      const model = yield* tiny
      const gone = { directory: `${directory}/gone`, checksum: "1" }
      const task = { state: "please refund the money", questions: [question] }
      const { ready, run } = yield* spawn([gone, model])
      yield* ready
      expect((yield* run({ ...task, model })).logits[0]).toHaveLength(3)
      expect((yield* Effect.flip(run({ ...task, model: gone })))._tag).toBe("RunFailed")
      const { ready: never } = yield* spawn([gone])
      expect((yield* Effect.flip(never))._tag).toBe("WorkerLost")
    }),
  60_000
)

live(
  "workers end when their server is killed",
  () =>
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.sync(() =>
          Bun.spawn([process.execPath, new URL("../support/pool.ts", import.meta.url).pathname, directory])
        ),
        (started) => Effect.sync(() => started.kill("SIGKILL"))
      )
      const pids = yield* Effect.repeat(
        Effect.zipLeft(
          Effect.sync(() => workersOf(server.pid)),
          Effect.sleep("100 millis")
        ),
        { until: (found) => found.length === 2 }
      )
      yield* Effect.sleep("500 millis")
      server.kill("SIGKILL")
      const alive = Effect.sync(() => pids.filter((pid) => Bun.spawnSync(["kill", "-0", String(pid)]).success))
      expect(
        yield* Effect.repeat(Effect.zipLeft(alive, Effect.sleep("50 millis")), { until: (left) => left.length === 0 })
      ).toEqual([])
    }).pipe(Effect.timeout("50 seconds")),
  60_000
)
