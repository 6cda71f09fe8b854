import { HttpLayerRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { RpcSerialization, RpcServer } from "@effect/rpc"
import { Effect, Layer, Option, Schema } from "effect"
import { StandardError, standardError } from "#schema/ErrorBodies"
import { Limits } from "#schema/Limits"
import { InternalRpcs } from "#schema/rpc/InternalRpcs"
import { WrongToken } from "#schema/rpc/InternalToken"
import { Settings } from "../Settings.ts"
import { AskingHandlers } from "./Asking.ts"
import { ListingHandlers } from "./Listing.ts"
import { ManagingHandlers } from "./Managing.ts"
import { Payer } from "./Payer.ts"
import { serviceOf, TokenLayer } from "./Token.ts"

/** The procedures and who may call them, whatever carries them. */
export const InternalHandlers = Layer.mergeAll(AskingHandlers, ListingHandlers, ManagingHandlers, TokenLayer).pipe(
  Layer.provide(Payer.layer)
)

const refused = HttpServerResponse.unsafeJson(
  Schema.encodeSync(StandardError)(standardError("authentication_error", WrongToken.of().message)),
  { status: 401 }
)

/** Strangers cannot make the service parse megabytes; what of theirs is no call at all is no fault of ours. */
const Guard = HttpLayerRouter.middleware(
  Effect.map(Settings, ({ internalTokens }) => {
    const service = serviceOf(internalTokens)
    return (app) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
        if (Option.isSome(service(headers))) return app
        // So much is read to refuse the call in the words of its procedure.
        return Number(headers["content-length"]) <= Limits.strangerBytes
          ? Effect.catchSomeDefect(app, (defect) =>
              defect instanceof TypeError ? Option.some(Effect.succeed(refused)) : Option.none()
            )
          : Effect.succeed(refused)
      })
  })
).layer

/** POST /rpc, for services that hold a token; absent where no token is set. */
export const RpcRoute = Layer.unwrapEffect(
  Effect.map(Settings, ({ internalTokens }) =>
    internalTokens.length === 0
      ? Layer.empty
      : RpcServer.layerHttpRouter({
          group: InternalRpcs,
          path: "/rpc",
          protocol: "http",
          disableFatalDefects: true
        }).pipe(Layer.provide([InternalHandlers, RpcSerialization.layerNdjson, Guard]))
  )
)
