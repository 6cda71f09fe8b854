import { expect } from "bun:test"
import { Duration, Effect, Layer, Schedule } from "effect"
import { Inference } from "#src/inference/Inference"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"
import { modelsFolder } from "#test/support/models"
import { workersOf } from "#test/support/processes"

const service = Layer.unwrapScoped(
  Effect.map(modelsFolder([{ name: "svc-english" }]), (modelsDir) =>
    testApp({ settings: { modelsDir, workers: 1, runSeconds: 1 }, inference: Inference.layerNoDeps })
  )
)

withLayer(service)("A model run that hangs", (it) => {
  it("is a 503 at its deadline that costs nothing, and the next request is answered by another worker", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 10 })
      const decide = app.send("POST", "/v1/decide", { key, body: { template: "spam", text: "buy now", cache: false } })
      yield* Effect.retry(
        Effect.filterOrFail(decide, ({ status }) => status === 200),
        Schedule.spaced("50 millis")
      )
      const [hung = 0] = workersOf(process.pid)
      process.kill(hung, "SIGSTOP")

      const [took, reply] = yield* Effect.timed(decide)
      expect([reply.status, reply.body.detail.error_type]).toEqual([503, "api_error"])
      expect(reply.headers.get("retry-after")).toBe("1")
      expect(Duration.toSeconds(took)).toBeWithin(1, 8)

      expect((yield* decide).status).toBe(200)
      expect(workersOf(process.pid)).not.toContain(hung)
      expect(yield* app.balance(accountId)).toEqual({ balance: 8 * 15, reserved: 0 })
    }))
})
