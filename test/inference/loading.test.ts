import { describe, expect, test } from "bun:test"
import { type Duration, Effect } from "effect"
import { deadlines, type Reader } from "#src/inference/deadlines"
import { makePool } from "#src/inference/Pool"
import type { Task } from "#src/inference/Protocol"
import type { WorkerProcess } from "#src/inference/WorkerProcess"
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
      ready: Effect.succeed([]),
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
      expect(processorTime(() => deadlines({ ...task, state }, { family: "branches" }))).toBeLessThan(50)
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
      const answered = (reader: Reader) =>
        Effect.gen(function* () {
          const { run } = yield* poolOf(undefined, "450 millis")
          return yield* Effect.isSuccess(run(["a"], asked, reader))
        })
      expect(yield* answered({ family: "branches" })).toBe(false)
      expect(yield* answered({ family: "markers", window: 1_024 })).toBe(true)
      expect(yield* answered({ family: "cross-encoder", window: 512 })).toBe(true)
    })
  )

  describe("grows with the windows of a model that reads what is asked in each", () => {
    /** Characters of English that are read in the time of one deadline. */
    const each = 5_000
    const state = "The parcel never came. ".repeat(1_400)
    const asked = (wording: string, names: ReadonlyArray<string>): Task => ({
      ...task,
      state,
      questions: [{ type: "choice", wording, options: names.map((name) => ({ name })) }]
    })

    test("by itself for each option", () => {
      const wording = "Which of these is it? ".repeat(82)
      const read = deadlines(asked(wording, ["one", "two", "three"]), { family: "cross-encoder", window: 512 })
      // A window of 512 tokens beside a statement of 450 holds some 60 of the text.
      expect(read).toBeGreaterThan((3 * 130 * 512 * 4) / each)
      const wide = deadlines(asked(wording, ["one", "two", "three"]), { family: "cross-encoder", window: 8_192 })
      expect(wide).toBeLessThan(read / 5)
    })

    test("with all options at once", () => {
      const names = Array.from({ length: 60 }, (_, i) => `${i} ${"and more of it ".repeat(4)}`)
      const read = deadlines(asked("Which?", names), { family: "markers", window: 1_024 })
      // Some 960 tokens of options leave 60 for the text.
      expect(read).toBeGreaterThan((2 * 120 * 1_024 * 4) / each)
    })

    test("where a language has more tokens in fewer characters", () => {
      const chinese = { ...asked("这些中的哪一个？".repeat(60), ["一", "二"]), state: "包裹从未到达。".repeat(1_000) }
      // 480 characters are 360 tokens or more, and leave no more than 152 of the window for 5,250 of the text.
      expect(deadlines(chinese, { family: "cross-encoder", window: 512 })).toBeGreaterThan((2 * 34 * 500 * 4) / each)
    })

    test("but not beyond what a question may leave to the text", () => {
      const read = deadlines(asked("is it? ".repeat(4_000), ["yes"]), { family: "cross-encoder", window: 512 })
      expect(Number.isFinite(read)).toBe(true)
    })
  })
})
