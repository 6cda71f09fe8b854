import { HttpApiMiddleware, HttpApiSecurity } from "@effect/platform"
import { Context, type Effect, Schema } from "effect"
import { RateLimitedBody, UnauthenticatedBody, UnavailableBody } from "./ErrorBodies.ts"
import type { InsufficientCredits, InvalidRequest, RateLimited, Unauthenticated, Unavailable } from "./Errors.ts"

/** What a request may cost, in decisions; `flow` takes the longest path of a published flow instead. */
export interface Order {
  readonly decisions: number
  /** The fewest decisions that are worth starting for; `decisions` where absent. */
  readonly least?: number
  readonly flow?: string
}

/** A request that was let in: whose it is, and how many decisions are reserved for it. */
export interface Admitted {
  readonly accountId: string
  readonly reserved: number
}

/** Why a request is not let in. */
export type Refusal = Unauthenticated | RateLimited | InsufficientCredits | InvalidRequest | Unavailable

/**
 * Whoever sent the request. Every endpoint calls `admit` once before its work; that one database round trip
 * authenticates the key, counts the request in its window and reserves the decisions. `charge` says how many were answered.
 */
export class Caller extends Context.Tag("schema/Caller")<
  Caller,
  {
    readonly requestId: string
    readonly admit: (order: Order) => Effect.Effect<Admitted, Refusal>
    /** `admit` for what costs nothing. */
    readonly enter: Effect.Effect<Admitted, Unauthenticated | RateLimited | Unavailable>
    readonly charge: (decisions: number) => Effect.Effect<void>
  }
>() {}

/** `Authorization: Bearer <API_KEY>` on every operation under /v1. */
export class Authorization extends HttpApiMiddleware.Tag<Authorization>()("schema/Authorization", {
  provides: Caller,
  failure: Schema.Union(UnauthenticatedBody, RateLimitedBody, UnavailableBody),
  security: { bearer: HttpApiSecurity.bearer }
}) {}
