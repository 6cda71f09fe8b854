import { expect } from "bun:test"
import { FileSystem } from "@effect/platform"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { Inference } from "#src/inference/Inference"
import { Settings } from "#src/Settings"
import { TestApp, testApp } from "#test/support/app"
import { movableClock } from "#test/support/clock"
import { withLayer } from "#test/support/effect"
import { modelsFolder } from "#test/support/models"
import { workersOf } from "#test/support/processes"

const { clock, setAhead } = movableClock()

withLayer(testApp().pipe(Layer.provideMerge(clock)))("GET /health/ready", (it) =>
  it("is 503 when the database has taken nothing for fifteen seconds, though it answers", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const sql = yield* SqlClient
      const ready = Effect.map(app.send("GET", "/health/ready"), ({ status, body }) => [status, body])
      const isReady = [200, { status: "ready", database: true, models: true }]
      yield* sql`alter table instances rename to elsewhere`
      expect(yield* ready).toEqual(isReady)
      yield* setAhead(16_000)
      expect(yield* ready).toEqual([503, { status: "not ready", database: false, models: true }])
      yield* setAhead(0)
      expect(yield* ready).toEqual(isReady)
    }))
)

const onWorkers = Layer.unwrapScoped(
  Effect.map(modelsFolder([{ name: "svc-english" }, { name: "reviews" }, { name: "letters" }]), (modelsDir) =>
    testApp({ settings: { modelsDir }, inference: Inference.layerNoDeps })
  )
)

withLayer(onWorkers)("GET /health/ready", (it) =>
  it("is 503 while a worker does without a model of the service's own, whose files changed since the start", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const fs = yield* FileSystem.FileSystem
      const { modelsDir } = yield* Settings
      const ready = app.send("GET", "/health/ready")
      const change = (model: string) => fs.writeFileString(`${modelsDir}/${model}/manifest.json`, "{}")
      const replaced = Effect.gen(function* () {
        for (const pid of workersOf(process.pid)) process.kill(pid, "SIGKILL")
        yield* Effect.repeat(ready, { until: ({ body }) => !body.models })
      })
      const settled = Effect.repeat(
        Effect.zipRight(
          Effect.sleep("20 millis"),
          Effect.flatMap(Inference, ({ status }) => status)
        ),
        { until: ({ up }) => up === 1 }
      )
      yield* settled
      expect((yield* ready).status).toBe(200)
      yield* change("reviews")
      yield* replaced
      yield* settled
      expect((yield* ready).status).toBe(200)
      yield* change("svc-english")
      yield* replaced
      yield* settled
      const { status, body } = yield* ready
      expect([status, body]).toEqual([503, { status: "not ready", database: true, models: false }])
    }))
)
