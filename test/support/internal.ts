import { RpcTest } from "@effect/rpc"
import { Effect, Layer } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { InternalRpcs } from "#schema/rpc/InternalRpcs"
import { InternalToken } from "#schema/rpc/InternalToken"
import { AskingHandlers } from "#src/rpc/Asking"
import { ListingHandlers } from "#src/rpc/Listing"
import { ManagingHandlers } from "#src/rpc/Managing"
import { Payer } from "#src/rpc/Payer"
import { testApp } from "./app.ts"

/** The internal client of a whole service in this process: no port between them, no token. */
export const internalService = (options?: Parameters<typeof testApp>[0]) =>
  Layer.scoped(InternalClient, RpcTest.makeClient(InternalRpcs)).pipe(
    Layer.provide([AskingHandlers, ListingHandlers, ManagingHandlers]),
    Layer.provide(
      Layer.succeed(
        InternalToken,
        InternalToken.of(() => Effect.succeed({ name: "test" }))
      )
    ),
    Layer.provide(Payer.layer),
    Layer.provideMerge(testApp(options))
  )
