import { HttpServerRequest } from "@effect/platform"
import { Context, Effect, Layer, Option, Redacted, Ref } from "effect"
import type { Admitted, Caller, Order, Refusal } from "#schema/Authorization"
import { type RateLimited, Unauthenticated, type Unavailable } from "#schema/Errors"
import { Admission } from "../admission/Admission.ts"
import { Keys } from "../keys/Keys.ts"
import { CurrentExchange } from "./Exchange.ts"
import { KnownKeys } from "./KnownKeys.ts"
import { Replayed, replayOf } from "./Replay.ts"

const bearer = /^bearer +(\S.*)$/i

/**
 * Where API requests come in: reads the key, and admits the exchange at the price its endpoint names.
 * @effect-expect-leaking HttpServerRequest
 */
export class Door extends Context.Tag("http/Door")<
  Door,
  {
    /** Checks the presented key as far as it can be done before the body is read. */
    readonly knock: Effect.Effect<
      typeof Caller.Service,
      Unauthenticated | RateLimited | Unavailable,
      HttpServerRequest.HttpServerRequest
    >
    /** Admits the exchange, once, in one database round trip; a retry of an answered request dies with `Replayed`. */
    readonly admit: (
      keyHash: Uint8Array,
      order: Order
    ) => Effect.Effect<Admitted, Refusal, HttpServerRequest.HttpServerRequest>
  }
>() {
  static readonly layer = Layer.effect(
    Door,
    Effect.gen(function* () {
      const keys = yield* Keys
      const admission = yield* Admission
      const known = yield* KnownKeys

      const admit = Effect.fnUntraced(function* (keyHash: Uint8Array, order: Order) {
        const exchange = yield* CurrentExchange
        const request = yield* HttpServerRequest.HttpServerRequest
        const replay = replayOf(request, yield* Ref.get(exchange.bodyHash), keyHash.toHex())
        const admittance = yield* admission
          .admit({
            requestId: exchange.requestId,
            party: { keyHash },
            order,
            counted: !(yield* Ref.get(exchange.counted)),
            ...(replay === undefined ? {} : { replay })
          })
          .pipe(
            Effect.tap((admittance) =>
              admittance._tag === "Admitted"
                ? Ref.set(exchange.reservation, Option.some(admittance.reservation))
                : Effect.void
            ),
            // What was reserved must be known to the edge, which settles it, also when the client has gone away.
            Effect.uninterruptible,
            Effect.tapErrorTag("Unauthenticated", () => known.remove(keyHash)),
            Effect.tapErrorTag("RateLimited", ({ retryAfter }) =>
              Ref.set(exchange.retryAfter, Option.some(retryAfter))
            ),
            // Refused for what it asks, a request has been counted all the same.
            Effect.tapErrorTag("InsufficientCredits", () => Ref.set(exchange.counted, true)),
            Effect.tapErrorTag("InvalidRequest", () => Ref.set(exchange.counted, true))
          )
        yield* Ref.set(exchange.counted, true)
        yield* known.add(keyHash)
        if (admittance._tag === "Replayed") return yield* Effect.die(new Replayed(admittance))
        return { accountId: admittance.reservation.accountId, reserved: admittance.reservation.decisions }
      })

      const knock = Effect.gen(function* () {
        const exchange = yield* CurrentExchange
        const request = yield* HttpServerRequest.HttpServerRequest
        const secret = bearer.exec(request.headers.authorization ?? "")?.[1]?.trimEnd()
        if (secret === undefined) return yield* Unauthenticated.missing()
        const hash = keys.hash(Redacted.make(secret))
        if (Option.isNone(hash)) return yield* Unauthenticated.invalid()
        const keyHash = hash.value
        yield* Ref.set(exchange.keyHash, hash)
        const here = Effect.provideService(HttpServerRequest.HttpServerRequest, request)
        const enter = here(admit(keyHash, { decisions: 0 })).pipe(
          Effect.catchTags({ InsufficientCredits: Effect.die, InvalidRequest: Effect.die })
        )
        // A key not seen here lately is checked before the body is read: strangers cannot make the service parse megabytes.
        if (!(yield* known.has(keyHash))) yield* enter
        return {
          requestId: exchange.requestId,
          admit: (order: Order) => here(admit(keyHash, order)),
          enter,
          charge: (decisions: number) => Ref.set(exchange.answered, decisions)
        }
      })

      return Door.of({ admit, knock })
    })
  )
}
