import { describe, expect, test } from "bun:test"
import { type Duration, Effect } from "effect"
import { deadlines } from "#src/inference/deadlines"
import { makePool } from "#src/inference/Pool"
import type { Task } from "#src/inference/Protocol"
import type { WorkerProcess } from "#src/inference/WorkerProcess"
import type { Manifest } from "#src/models/Manifest"
import { processorTime } from "../support/cpu.ts"
import { live } from "../support/effect.ts"

const task = { model: { directory: "any", checksum: "" }, state: "", questions: [] }
const outcome = { logits: [], stateTokens: 1, questionTokens: [] }

/** A pool of one worker that loads the model of its task for a time, or finds it loaded, and takes a time for the whole task. */
const poolOf = (loads: Duration.DurationInput | undefined, takes: Duration.DurationInput) =>
  makePool({
    workers: 1,
    queueLimit: 1,
    deadline: "100 millis",
    spawn: Effect.succeed<WorkerProcess>({
      pid: 1,
      ready: Effect.void,
      lost: Effect.never,
      loaded: loads === undefined ? Effect.succeed(false) : Effect.as(Effect.sleep(loads), true),
      run: () => Effect.delay(Effect.succeed(outcome), takes)
    })
  })

describe("The deadline of a run", () => {
  live("does not count what it takes to load a model", () =>
    Effect.gen(function* () {
      const loading = yield* poolOf("300 millis", "350 millis")
      expect((yield* loading.run(["a"], task)).stateTokens).toBe(1)
      const loaded = yield* poolOf(undefined, "350 millis")
      expect((yield* Effect.flip(loaded.run(["a"], task)))._tag).toBe("Unavailable")
    })
  )

  live("counts from the model's loading on", () =>
    Effect.gen(function* () {
      const { run } = yield* poolOf("100 millis", "1 minute")
      expect((yield* Effect.flip(run(["a"], task)))._tag).toBe("Unavailable")
    })
  )

  test("is known at once, whatever the text", () => {
    for (const part of ["\u0301\u0316", "\uff9e\u0301"]) {
      const state = part.repeat(15_000)
      expect(processorTime(() => deadlines({ ...task, state }, "branches"))).toBeLessThan(50)
    }
  })

  live("grows with what a model reads: some read the text anew for each option, or twice for each question", () =>
    Effect.gen(function* () {
      const options = Array.from({ length: 10 }, (_, i) => ({ name: `option ${i}` }))
      const asked: Task = {
        ...task,
        state: "The parcel never came. ".repeat(300),
        questions: [
          { type: "choice", wording: "Which?", options },
          { type: "choice", wording: "And which?", options }
        ]
      }
      const answered = (family: Manifest["family"]) =>
        Effect.gen(function* () {
          const { run } = yield* poolOf(undefined, "450 millis")
          return yield* Effect.isSuccess(run(["a"], asked, family))
        })
      expect(yield* answered("branches")).toBe(false)
      expect(yield* answered("markers")).toBe(true)
      expect(yield* answered("cross-encoder")).toBe(true)
    })
  )
})
