import type { HttpServerError, HttpServerRequest } from "@effect/platform"
import { Context, Data, Duration, Effect, Layer, Ref, Stream } from "effect"
import { Limits } from "#schema/Limits"
import { Settings } from "../Settings.ts"
import type { Exchange } from "./Exchange.ts"
import { InFlight } from "./InFlight.ts"

/** The body is larger than any valid request of whoever sent it. */
export class BodyTooLarge extends Data.TaggedError("BodyTooLarge")<{ readonly most: number }> {}

/** The body did not come whole in time. */
export class BodyTooSlow extends Data.TaggedError("BodyTooSlow") {}

/** The bodies of other requests take up all the room there is. */
export class IntakeFull extends Data.TaggedError("IntakeFull") {}

/** Bytes that the bodies of all requests may hold at once; many times the largest. */
const room = 8 * Limits.bodyBytes

/** The bytes that the head says will come; not a number where it leaves that to the body. */
const announced = ({ headers }: HttpServerRequest.HttpServerRequest) =>
  Number(headers["content-length"] ?? (headers["transfer-encoding"] === undefined ? 0 : Number.NaN))

/** Bodies on their way in: how long one may take, and how much memory all of them. */
export class Intake extends Context.Tag("http/Intake")<
  Intake,
  {
    /** The bytes of a body. Dies with `BodyTooLarge`, `BodyTooSlow`, `IntakeFull`, or `Stopping` when a stop begins. */
    readonly read: (
      request: HttpServerRequest.HttpServerRequest,
      exchange: Exchange
    ) => Effect.Effect<Buffer, HttpServerError.RequestError>
    /** The exchange is over: its body makes room for others. */
    readonly forget: (exchange: Exchange) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    Intake,
    Effect.gen(function* () {
      const inFlight = yield* InFlight
      const { bodySeconds } = yield* Settings
      let held = 0

      const hold = (exchange: Exchange, most: number, bytes: number) =>
        Effect.flatMap(
          Ref.updateAndGet(exchange.bodyBytes, (before) => before + bytes),
          (size) => {
            held += bytes
            if (size > most) return Effect.die(new BodyTooLarge({ most }))
            return held > room ? Effect.die(new IntakeFull()) : Effect.void
          }
        )

      return Intake.of({
        read: Effect.fnUntraced(function* (request, exchange) {
          const bytes = announced(request)
          // The platform's stream of nothing is a failure.
          if (bytes === 0) return Buffer.alloc(0)
          const most = yield* Ref.get(exchange.mostBytes)
          if (bytes > most) return yield* Effect.die(new BodyTooLarge({ most }))
          return yield* request.stream.pipe(
            Stream.tap((chunk) => hold(exchange, most, chunk.byteLength)),
            Stream.runCollect,
            Effect.map((chunks) => Buffer.concat([...chunks])),
            inFlight.wait,
            Effect.timeoutTo({
              duration: Duration.seconds(bodySeconds),
              onSuccess: Effect.succeed,
              onTimeout: () => Effect.die(new BodyTooSlow())
            }),
            Effect.flatten
          )
        }),
        forget: ({ bodyBytes }) =>
          Effect.map(Ref.getAndSet(bodyBytes, 0), (bytes) => {
            held -= bytes
          })
      })
    })
  )
}
