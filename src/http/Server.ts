import { HttpLayerRouter } from "@effect/platform"
import { BunHttpServer } from "@effect/platform-bun"
import { Duration, Effect, Layer } from "effect"
import { Limits } from "#schema/Limits"
import { Settings } from "../Settings.ts"
import { InFlight } from "./InFlight.ts"
import { Routes } from "./Routes.ts"

const Drain = Layer.scopedDiscard(
  Effect.gen(function* () {
    const { drainSeconds } = yield* Settings
    const inFlight = yield* InFlight
    // Released before the server that it was built after: running requests finish while the port is still open.
    yield* Effect.addFinalizer(() => inFlight.drain(Duration.seconds(drainSeconds)))
  })
)

const Listener = Layer.unwrapEffect(
  Effect.map(Settings, ({ port }) =>
    // Our own limit speaks first; this one only stops what ignores it.
    BunHttpServer.layer({ port, idleTimeout: 120, maxRequestBodySize: Limits.bodyBytes * 2 })
  )
)

/** However long a slug is, it is the flows that do not know it. */
const routerConfig = { maxParamLength: Number.MAX_SAFE_INTEGER }

/** The HTTP interface on its port; opens when everything behind it is ready, and drains before it closes. */
export const Server = Drain.pipe(
  Layer.provideMerge(HttpLayerRouter.serve(Routes, { disableLogger: true, routerConfig })),
  Layer.provideMerge(Listener),
  Layer.provide(InFlight.layer)
)
