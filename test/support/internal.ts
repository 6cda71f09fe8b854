import { RpcClient, type RpcGroup, type RpcMessage, RpcServer } from "@effect/rpc"
import { Effect, Layer, Redacted } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { InternalRpcs } from "#schema/rpc/InternalRpcs"
import { InternalToken } from "#schema/rpc/InternalToken"
import { AskingHandlers } from "#src/rpc/Asking"
import { ListingHandlers } from "#src/rpc/Listing"
import { ManagingHandlers } from "#src/rpc/Managing"
import { Payer } from "#src/rpc/Payer"
import { TestApp, testApp } from "./app.ts"
import { type It, withLayer } from "./effect.ts"

type Rpcs = RpcGroup.Rpcs<typeof InternalRpcs>

/** Client and server with nothing between them. As over HTTP, and unlike with `RpcTest`, a bug ends its own call alone. */
const client = Effect.gen(function* () {
  let receive = (_: RpcMessage.FromServer<Rpcs>) => Effect.void
  const { write } = yield* RpcServer.makeNoSerialization(InternalRpcs, {
    disableFatalDefects: true,
    onFromServer: (response) => receive(response)
  })
  const made = yield* RpcClient.makeNoSerialization(InternalRpcs, {
    supportsAck: true,
    onFromClient: ({ message }) => write(0, message)
  })
  receive = made.write
  return made.client
})

const inProcess = Layer.scoped(InternalClient, client).pipe(
  Layer.provide([AskingHandlers, ListingHandlers, ManagingHandlers]),
  Layer.provide(
    Layer.succeed(
      InternalToken,
      InternalToken.of(({ next }) => next)
    )
  ),
  Layer.provide(Payer.layer)
)

/** The internal client of a whole service in this process: no port between them, no token. */
export const internalService = (options?: Parameters<typeof testApp>[0]) =>
  Layer.provideMerge(inProcess, testApp(options))

/** The internal client of the service under test at its own port. */
export const overHttp = (token: string) =>
  Layer.unwrapEffect(
    Effect.map(TestApp, ({ base }) => InternalClient.layer({ url: `${base}/rpc`, token: Redacted.make(token) }))
  )

type App = ReturnType<typeof testApp>

/**
 * The same tests of one service by either of its internal clients. The service is started once where the tests stand
 * among others of `app`.
 */
export const eitherWay = (
  app: App,
  token: string,
  body: (it: It<Layer.Layer.Success<App> | InternalClient>, way: string) => void
) => {
  withLayer(Layer.provideMerge(inProcess, app))("in this process", (it) => body(it, "in this process"))
  withLayer(Layer.provideMerge(overHttp(token), app))("over HTTP", (it) => body(it, "over HTTP"))
}
