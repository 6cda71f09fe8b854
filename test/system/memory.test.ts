import { expect } from "bun:test"
import { readFile } from "node:fs/promises"
import { BunContext } from "@effect/platform-bun"
import { Effect } from "effect"
import type { Question } from "#src/inference/Question"
import { spawn } from "#src/inference/WorkerProcess"
import { readBundle } from "#src/models/Bundle"
import { live } from "#test/support/effect"

const question: Question = { type: "noul", wording: "Is it about money?", options: [{ name: "yes" }, { name: "no" }] }

/** Megabytes that a process holds. */
const held = (pid: number) =>
  Effect.map(
    Effect.promise(() => readFile(`/proc/${pid}/status`, "utf8")),
    (status) => Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
  )

live(
  "A worker gives back the memory that a large text took, and answers on",
  () =>
    Effect.gen(function* () {
      const model = yield* readBundle(new URL("../../models/svc-english", import.meta.url).pathname)
      const worker = yield* spawn([model])
      yield* worker.ready
      const ask = (state: string) => worker.run({ model, state, questions: [question] })
      const before = yield* Effect.zipRight(ask("I was charged twice."), held(worker.pid))
      const { stateTokens } = yield* ask("我们的钱".repeat(4_500))
      expect(stateTokens).toBeGreaterThan(16_000)
      expect(yield* held(worker.pid)).toBeLessThan(before + 200)
      const long = "I was charged twice. ".repeat(100)
      expect((yield* ask(long)).logits).toEqual((yield* ask(long)).logits)
    }).pipe(Effect.scoped, Effect.provide(BunContext.layer)),
  60_000
)
