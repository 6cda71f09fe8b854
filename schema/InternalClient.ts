import { FetchHttpClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { RpcClient, type RpcClientError, type RpcGroup, RpcSerialization } from "@effect/rpc"
import { Context, Effect, Fiber, Layer, type Redacted, Schedule } from "effect"
import { InternalRpcs } from "./rpc/InternalRpcs.ts"

type Rpcs = RpcGroup.Rpcs<typeof InternalRpcs>

const transient = {
  schedule: Schedule.exponential("50 millis").pipe(Schedule.jittered, Schedule.intersect(Schedule.recurs(4))),
  while: (error: unknown) =>
    typeof error === "object" && error !== null && "_tag" in error && error._tag === "RpcClientError"
}

/**
 * Asks once more when the service could not be reached or the connection broke, a few times with growing pauses.
 * Only for calls whose repetition changes nothing: lists, look-ups, `GrantCredits`, and calls with `billing: "internal"`.
 */
export const repeatable = <A, E, R>(call: Effect.Effect<A, E | RpcClientError.RpcClientError, R>) =>
  Effect.retry(call, transient)

/** RPC over HTTP has no word for giving up on a call: leaving one ends its HTTP request, which the server notices. */
const leaving = Effect.fnUntraced(function* (client: HttpClient.HttpClient) {
  const http = yield* RpcClient.makeProtocolHttp(client)
  const scope = yield* Effect.scope
  const running = new Map<string, Fiber.Fiber<void, RpcClientError.RpcClientError>>()
  return RpcClient.Protocol.of({
    ...http,
    send: (message, transferables) => {
      if (message._tag === "Interrupt") {
        const left = running.get(String(message.requestId))
        return left === undefined ? Effect.void : Effect.asVoid(Fiber.interruptFork(left))
      }
      const sent = http.send(message, transferables)
      if (message._tag !== "Request") return sent
      return sent.pipe(
        Effect.ensuring(Effect.sync(() => running.delete(String(message.id)))),
        Effect.forkIn(scope),
        Effect.tap((fiber) => Effect.sync(() => running.set(String(message.id), fiber))),
        Effect.flatMap(Fiber.join)
      )
    }
  })
})

/**
 * The internal procedures of a running service, for other services on Bun or Node.
 * `url` is the address of the RPC interface with its path, such as `http://localhost:8080/rpc`.
 * Failures are the same classes as on the server; spans join the caller's trace.
 */
export class InternalClient extends Context.Tag("schema/InternalClient")<
  InternalClient,
  RpcClient.RpcClient<Rpcs, RpcClientError.RpcClientError>
>() {
  static readonly layer = (options: { readonly url: string; readonly token: Redacted.Redacted }) =>
    Layer.scoped(InternalClient, RpcClient.make(InternalRpcs)).pipe(
      Layer.provide(
        Layer.scoped(
          RpcClient.Protocol,
          Effect.flatMap(HttpClient.HttpClient, (client) =>
            leaving(
              HttpClient.mapRequest(client, (request) =>
                request.pipe(HttpClientRequest.prependUrl(options.url), HttpClientRequest.bearerToken(options.token))
              )
            )
          )
        )
      ),
      Layer.provide([RpcSerialization.layerNdjson, FetchHttpClient.layer])
    )
}
