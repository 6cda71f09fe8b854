import { FetchHttpClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { RpcClient, RpcClientError, type RpcGroup, RpcSerialization } from "@effect/rpc"
import { Context, Effect, Fiber, Layer, type Redacted, Schedule } from "effect"
import { InternalRpcs } from "./rpc/InternalRpcs.ts"
import { Repeatable } from "./rpc/Repeatable.ts"

type Rpcs = RpcGroup.Rpcs<typeof InternalRpcs>

const transient = {
  schedule: Schedule.exponential("50 millis").pipe(Schedule.jittered, Schedule.intersect(Schedule.recurs(4))),
  while: (error: unknown) =>
    typeof error === "object" && error !== null && "_tag" in error && error._tag === "RpcClientError"
}

/** Asks once more when the service could not be reached or the connection broke, a few times with growing pauses. */
const repeated = <A, E, R>(call: Effect.Effect<A, E | RpcClientError.RpcClientError, R>) =>
  Effect.retry(call, transient)

const mayRepeat = (procedure: string) => {
  const rpc = new Map<string, { readonly annotations: Context.Context<never> }>(InternalRpcs.requests).get(procedure)
  return rpc !== undefined && Context.get(rpc.annotations, Repeatable)
}

/**
 * RPC over HTTP as it comes does not know three things. A call that is left ends its HTTP request, which the server notices.
 * A response that ends without an answer fails its call. A call that may be repeated is, when its connection broke.
 */
const attentive = Effect.fnUntraced(function* (client: HttpClient.HttpClient) {
  const http = yield* RpcClient.makeProtocolHttp(client)
  const scope = yield* Effect.scope
  const running = new Map<string, Fiber.Fiber<void, RpcClientError.RpcClientError>>()
  const unanswered = new Set<string>()

  const ask: typeof http.send = (message, transferables) => {
    if (message._tag !== "Request") return http.send(message, transferables)
    const id = String(message.id)
    const once = http.send(message, transferables).pipe(
      Effect.filterOrFail(
        () => !unanswered.has(id),
        () =>
          new RpcClientError.RpcClientError({
            reason: "Protocol",
            message: "The connection ended before the answer",
            cause: undefined
          })
      )
    )
    unanswered.add(id)
    return Effect.ensuring(
      mayRepeat(message.tag) ? repeated(once) : once,
      Effect.sync(() => unanswered.delete(id))
    )
  }

  return RpcClient.Protocol.of({
    ...http,
    run: (receive) =>
      http.run((response) => {
        if (response._tag === "Exit") unanswered.delete(String(response.requestId))
        return receive(response)
      }),
    send: (message, transferables) => {
      if (message._tag === "Interrupt") {
        const left = running.get(String(message.requestId))
        return left === undefined ? Effect.void : Effect.asVoid(Fiber.interruptFork(left))
      }
      if (message._tag !== "Request") return ask(message, transferables)
      return ask(message, transferables).pipe(
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
            attentive(
              client.pipe(
                HttpClient.mapRequest((request) =>
                  request.pipe(HttpClientRequest.prependUrl(options.url), HttpClientRequest.bearerToken(options.token))
                ),
                HttpClient.filterStatusOk
              )
            )
          )
        )
      ),
      Layer.provide([RpcSerialization.layerNdjson, FetchHttpClient.layer])
    )
}
