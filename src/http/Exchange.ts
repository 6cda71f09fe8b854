import { Context, Option, Ref } from "effect"
import { Limits } from "#schema/Limits"
import type { Reservation } from "../admission/Admission.ts"
import { randomId } from "../database/id.ts"

/** One request and its answer, as the edge follows it from the first byte to the last. */
export interface Exchange {
  readonly requestId: string
  /** Hash of the API key, where one was sent that can be a key. */
  readonly keyHash: Ref.Ref<Option.Option<Uint8Array>>
  /** What was reserved at the door; none until the request was admitted. */
  readonly reservation: Ref.Ref<Option.Option<Reservation>>
  /** Decisions that were answered. */
  readonly answered: Ref.Ref<number>
  /** Whether the request has been counted in its window. */
  readonly counted: Ref.Ref<boolean>
  /** Seconds after which to try again. */
  readonly retryAfter: Ref.Ref<Option.Option<number>>
  /** Bytes that the body may have. */
  readonly mostBytes: Ref.Ref<number>
  /** Bytes of the body that are held in memory. */
  readonly bodyBytes: Ref.Ref<number>
  /** SHA-256 of the body's bytes, once read. */
  readonly bodyHash: Ref.Ref<string>
}

/** An exchange whose request has just come in: named, nothing of it known yet. */
export const openExchange = (): Exchange => ({
  requestId: `req_${randomId()}`,
  keyHash: Ref.unsafeMake(Option.none()),
  reservation: Ref.unsafeMake(Option.none()),
  answered: Ref.unsafeMake(0),
  counted: Ref.unsafeMake(false),
  retryAfter: Ref.unsafeMake(Option.none()),
  mostBytes: Ref.unsafeMake<number>(Limits.bodyBytes),
  bodyBytes: Ref.unsafeMake(0),
  bodyHash: Ref.unsafeMake("")
})

/** The exchange that this fiber serves. */
export class CurrentExchange extends Context.Reference<CurrentExchange>()("http/CurrentExchange", {
  defaultValue: openExchange
}) {}
