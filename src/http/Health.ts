import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { Admission } from "../admission/Admission.ts"
import { Inference } from "../inference/Inference.ts"

const json = (status: number, body: unknown) => HttpServerResponse.unsafeJson(body, { status })

/** GET /health: the process runs. GET /health/ready: the database answers and takes what is written, and models answer. */
export const HealthRoutes = HttpLayerRouter.use((router) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const inference = yield* Inference
    const admission = yield* Admission
    const answers = sql`select 1`.pipe(
      Effect.uninterruptible,
      Effect.disconnect,
      Effect.timeout("2 seconds"),
      Effect.as(true),
      Effect.orElseSucceed(() => false)
    )
    yield* router.add("GET", "/health", json(200, { status: "up" }))
    yield* router.add(
      "GET",
      "/health/ready",
      Effect.gen(function* () {
        const database = (yield* answers) && (yield* admission.writes)
        const { up, lacking } = yield* inference.status
        const parts = { database, models: up > 0 && lacking.length === 0 }
        const ready = parts.database && parts.models
        return json(ready ? 200 : 503, { status: ready ? "ready" : "not ready", ...parts })
      })
    )
  })
)
