import { FetchHttpClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { RpcClient, type RpcClientError, type RpcGroup, RpcSerialization } from "@effect/rpc"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import { InternalRpcs } from "./rpc/InternalRpcs.ts"

type Rpcs = RpcGroup.Rpcs<typeof InternalRpcs>

const transient = {
  schedule: Schedule.exponential("50 millis").pipe(Schedule.jittered, Schedule.intersect(Schedule.recurs(4))),
  while: (error: unknown) => typeof error === "object" && error !== null && "_tag" in error && error._tag === "RpcClientError"
}

/**
 * Asks once more when the service could not be reached or the connection broke, a few times with growing pauses.
 * Only for calls whose repetition changes nothing: lists, look-ups, `GrantCredits`, and calls with `billing: "internal"`.
 */
export const repeatable = <A, E, R>(call: Effect.Effect<A, E | RpcClientError.RpcClientError, R>) => Effect.retry(call, transient)

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
        RpcClient.layerProtocolHttp({
          url: options.url,
          transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(options.token))
        })
      ),
      Layer.provide([RpcSerialization.layerNdjson, FetchHttpClient.layer])
    )
}
