import { HttpLayerRouter } from "@effect/platform"
import { BunHttpServer } from "@effect/platform-bun"
import { Duration, Effect, Layer, Option } from "effect"
import { Settings } from "../Settings.ts"
import { Door } from "./Door.ts"
import { InFlight } from "./InFlight.ts"
import { Intake } from "./Intake.ts"
import { KnownKeys } from "./KnownKeys.ts"
import { Routes, RpcRoutes } from "./Routes.ts"

const Drain = Layer.scopedDiscard(
  Effect.gen(function* () {
    const { drainSeconds } = yield* Settings
    const inFlight = yield* InFlight
    // Released before the servers that it was built after: running requests finish while the ports are still open.
    yield* Effect.addFinalizer(() => inFlight.drain(Duration.seconds(drainSeconds)))
  })
)

const listener = (port: number) =>
  BunHttpServer.layer({
    port,
    // Between requests, and for the work on one, on which nothing is sent; the first head of a connection has 12 seconds.
    idleTimeout: 255,
    // Bun's own refusal has neither a body nor an id. After ours, at the head or once too much came, Bun keeps nothing of the rest.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER
  })

/** However long a slug is, it is the flows that do not know it. */
const routerConfig = { maxParamLength: Number.MAX_SAFE_INTEGER }

const HttpPort = HttpLayerRouter.serve(Routes, { disableLogger: true, routerConfig }).pipe(
  Layer.provideMerge(Layer.unwrapEffect(Effect.map(Settings, ({ port }) => listener(port))))
)

const RpcPort = Layer.unwrapEffect(
  Effect.map(Settings, ({ internalTokens, rpcPort }) =>
    internalTokens.length === 0 || Option.isNone(rpcPort)
      ? Layer.empty
      : HttpLayerRouter.serve(RpcRoutes, { disableLogger: true, disableListenLog: true }).pipe(
          Layer.provide(listener(rpcPort.value)),
          // A router and a server of its own; what the edge counts is shared with the other port.
          Layer.fresh
        )
  )
)

/** The HTTP interface and the one for insiders; they open when everything behind them is ready, and drain before they close. */
export const Server = Drain.pipe(
  Layer.provideMerge(RpcPort),
  Layer.provideMerge(HttpPort),
  Layer.provide(Door.layer),
  Layer.provide(KnownKeys.layer),
  Layer.provide(Intake.layer),
  Layer.provide(InFlight.layer)
)
