import { describe, expect } from "bun:test"
import { BunContext } from "@effect/platform-bun"
import { type Duration, Effect, Fiber, type Scope } from "effect"
import { Inference } from "#src/inference/Inference"
import { type Bundle, readBundle } from "#src/models/Bundle"
import { live } from "../support/effect.ts"
import { openOf, workersOf } from "../support/processes.ts"

const directory = new URL("../fixtures/models/tiny", import.meta.url).pathname
const question = {
  type: "choice",
  wording: "what is asked?",
  options: [{ name: "refund" }, { name: "cancel", description: "ends the contract" }, { name: "other" }]
} as const

/** A test with two worker processes, both ready. */
const withWorkers = (
  name: string,
  body: (model: Bundle) => Effect.Effect<void, unknown, Inference | Scope.Scope>,
  deadline: Duration.DurationInput = "10 seconds"
) =>
  live(
    name,
    () =>
      Effect.gen(function* () {
        const model = yield* readBundle(directory)
        const options = { models: [model], workers: 2, queueLimit: 1000, deadline }
        yield* bothUp.pipe(Effect.zipRight(body(model)), Effect.scoped, Effect.provide(Inference.layer(options)))
        expect(workersOf(process.pid)).toEqual([])
      }).pipe(Effect.provide(BunContext.layer)),
    60_000
  )

const ask = (model: Bundle, state = "please refund the money", lane = ["account", "request"]) =>
  Effect.flatMap(Inference, ({ answer }) => answer({ model, state, questions: [question], lane }))

/** Both workers can take a task. */
const bothUp = Effect.gen(function* () {
  const { status } = yield* Inference
  yield* Effect.repeat(Effect.zipLeft(status, Effect.sleep("20 millis")), { until: ({ up }) => up === 2 })
})

/** False if the process is gone already. */
const signal = (pid: number, name: "SIGKILL" | "SIGSTOP" | "SIGSEGV") =>
  Effect.sync(() => Bun.spawnSync(["kill", `-${name}`, String(pid)], { stderr: "ignore" }).success)

describe("worker processes", () => {
  withWorkers("answer with probabilities of sum 1, whatever the order of options", (model) =>
    Effect.gen(function* () {
      const { answer } = yield* Inference
      const reversed = { ...question, options: question.options.toReversed() }
      const single = { ...question, options: question.options.slice(0, 1) }
      const { answers, checkpoint, stateTokens } = yield* answer({
        model,
        state: "please refund the money",
        questions: [question, reversed, single],
        lane: ["a"]
      })
      const [first, second, third] = answers.map(({ probabilities }) => probabilities)
      expect(checkpoint).toBe("tiny-0001")
      expect(stateTokens).toBeGreaterThan(3)
      expect(first?.reduce((a, b) => a + b)).toBeCloseTo(1, 12)
      expect(second?.toReversed()).toEqual([...(first ?? [])])
      expect(third).toEqual([1])
      const open = workersOf(process.pid).flatMap(openOf)
      expect(open.filter((path) => path.includes("onnxruntime.db") || path.includes("mat-debug"))).toEqual([])
    })
  )

  withWorkers("no request fails while each worker is killed in turn", (model) =>
    Effect.gen(function* () {
      const expected = yield* ask(model)
      const load = yield* Effect.fork(
        Effect.forEach(
          Array.from({ length: 600 }, (_, i) => i),
          (i) => ask(model, undefined, ["account", String(i)]),
          { concurrency: 20 }
        )
      )
      for (let round = 0; round < 3; round++)
        for (const pid of workersOf(process.pid)) {
          yield* Effect.sleep("40 millis")
          yield* signal(pid, round === 2 ? "SIGSEGV" : "SIGKILL")
        }
      const answers = yield* Fiber.join(load)
      for (const answer of answers) expect(answer).toEqual(expected)
      yield* bothUp
    })
  )

  withWorkers(
    "a stopped worker loses nothing: its task runs elsewhere after the deadline, and it is replaced",
    (model) =>
      Effect.gen(function* () {
        const [stopped] = workersOf(process.pid)
        if (stopped === undefined) return yield* Effect.fail("no worker")
        yield* signal(stopped, "SIGSTOP")
        const answers = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => ask(model), { concurrency: "unbounded" })
        expect(answers.length).toBe(6)
        yield* bothUp
        expect(workersOf(process.pid)).not.toContain(stopped)
      }),
    "500 millis"
  )

  withWorkers("read a text of 32,000 characters and 255 options whole", (model) =>
    Effect.gen(function* () {
      const { answer } = yield* Inference
      const options = Array.from({ length: 255 }, (_, i) => ({ name: `option ${i}` }))
      const text = "lorem ipsum ".repeat(3000).slice(0, 31_990)
      const [plain, changed] = yield* Effect.forEach([text, `${text} refund 1`], (state) =>
        answer({ model, state, questions: [{ ...question, options }, question], lane: ["a"] })
      )
      expect(plain?.answers[0]?.probabilities.length).toBe(255)
      expect(plain?.answers[1]?.probabilities).not.toEqual(changed?.answers[1]?.probabilities)
    })
  )
})

live(
  "workers end when their server is killed",
  () =>
    Effect.gen(function* () {
      const server = Bun.spawn([process.execPath, new URL("../support/pool.ts", import.meta.url).pathname, directory], {
        stdout: "pipe"
      })
      const pids = yield* Effect.repeat(
        Effect.zipLeft(
          Effect.sync(() => workersOf(server.pid)),
          Effect.sleep("20 millis")
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
