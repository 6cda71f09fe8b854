import { HttpLayerRouter } from "@effect/platform"
import { BunHttpServer } from "@effect/platform-bun"
import { RpcSerialization, RpcServer } from "@effect/rpc"
import { Effect, Layer, Option } from "effect"
import { InternalRpcs } from "#schema/rpc/InternalRpcs"
import { Settings } from "../Settings.ts"
import { AskingHandlers } from "./Asking.ts"
import { ListingHandlers } from "./Listing.ts"
import { ManagingHandlers } from "./Managing.ts"
import { Payer } from "./Payer.ts"
import { TokenLayer } from "./Token.ts"

/** The procedures and who may call them, whatever carries them. */
export const InternalHandlers = Layer.mergeAll(AskingHandlers, ListingHandlers, ManagingHandlers, TokenLayer).pipe(
  Layer.provide(Payer.layer)
)

const Route = RpcServer.layerHttpRouter({
  group: InternalRpcs,
  path: "/rpc",
  protocol: "http",
  disableFatalDefects: true
}).pipe(Layer.provide([InternalHandlers, RpcSerialization.layerNdjson]))

/** POST /rpc on the HTTP interface, for services that hold a token; absent where no token is set, or RPC has its own port. */
export const RpcRoutes = Layer.unwrapEffect(
  Effect.map(Settings, ({ internalTokens, rpcPort }) =>
    internalTokens.length === 0 || Option.isSome(rpcPort) ? Layer.empty : Route
  )
)

/** POST /rpc on `RPC_PORT`. */
export const RpcListener = Layer.unwrapEffect(
  Effect.map(Settings, ({ internalTokens, rpcPort }) =>
    internalTokens.length === 0 || Option.isNone(rpcPort)
      ? Layer.empty
      : HttpLayerRouter.serve(Route, { disableLogger: true, disableListenLog: true }).pipe(
          Layer.provide(Layer.fresh(BunHttpServer.layer({ port: rpcPort.value, idleTimeout: 120 })))
        )
  )
)
