import { Buffer } from "node:buffer"
import { Context, Effect, Layer } from "effect"
import type { Order, Refusal } from "#schema/Authorization"
import { InsufficientCredits, InvalidRequest, RateLimited, Unauthenticated, Unavailable } from "#schema/Errors"
import { Settings } from "../Settings.ts"
import { AdmissionRepo, type Entry, type Verdict } from "./AdmissionRepo.ts"
import { answersKept, makeInstance } from "./Instance.ts"
import { makeRoom, roomForAnswers } from "./Room.ts"
import type { StoredAnswer } from "./StoredAnswer.ts"

/** Who asks: the hash of an API key, or an account on whose behalf an internal service calls. */
export type Party = { readonly keyHash: Uint8Array } | { readonly accountId: string }

/** How a request names itself so that its retry gets the same answer. */
export interface Replay {
  readonly key: string
  readonly bodyHash: string
  /** False for a first attempt that only leaves its answer behind. */
  readonly answersRetry: boolean
}

/** A request that wants in: from whom, and what it may cost. */
export interface Arrival {
  readonly requestId: string
  readonly party: Party
  readonly order: Order
  readonly replay?: Replay
  /** False when this request has been counted in its window already. */
  readonly counted: boolean
}

/** A request that was let in, and the decisions reserved for it until it is settled. */
export interface Reservation {
  readonly requestId: string
  readonly accountId: string
  readonly decisions: number
  /** Whether a retry may ask for the answer. */
  readonly retried: boolean
}

/** How a request is let in: to be worked on, or with the answer that its first attempt got. */
export type Admittance =
  | { readonly _tag: "Admitted"; readonly reservation: Reservation }
  | { readonly _tag: "Replayed"; readonly answer: StoredAnswer }

/** Milliseconds that a retry waits for the first attempt. */
const longestWait = 60_000

/**
 * The door of the service: who may come in, how often, and whether they can pay.
 * Exact across instances, since every verdict is made in the database; one round trip, shared between concurrent requests.
 */
export class Admission extends Context.Tag("svc/Admission")<
  Admission,
  {
    readonly admit: (arrival: Arrival) => Effect.Effect<Admittance, Refusal>
    /**
     * Charges what was answered and gives back the rest. Fails when the reservation was lost, or when the database does not
     * say in time that the charge went through; nothing stays charged then. `answer` is kept for retries, while the account
     * has room for it.
     * Where none is kept, `sent` or `unsent` has to follow: should this instance die before, the charge is given back.
     */
    readonly settle: (
      reservation: Reservation,
      decisions: number,
      answer?: StoredAnswer
    ) => Effect.Effect<void, Unavailable>
    /** The answer has been handed over: its charge is final. */
    readonly sent: (reservation: Reservation) => Effect.Effect<void>
    /** The client went away before its answer was handed over: the charge is given back. */
    readonly unsent: (reservation: Reservation) => Effect.Effect<void>
    /** The database takes what is written: false when it has taken nothing for some 15 seconds. */
    readonly writes: Effect.Effect<boolean>
  }
>() {
  static readonly layerNoDeps = Layer.scoped(
    Admission,
    Effect.gen(function* () {
      const repo = yield* AdmissionRepo
      const { priceMicros, rateLimit } = yield* Settings
      const instance = yield* makeInstance(repo)
      const hasRoom = makeRoom(roomForAnswers, answersKept)

      const entryOf = ({ requestId, party, order, replay, counted }: Arrival): Entry => ({
        request_id: requestId,
        hash: "keyHash" in party ? party.keyHash.toHex() : null,
        account: "accountId" in party ? party.accountId : null,
        counted,
        default_limit: rateLimit,
        wanted: order.decisions,
        least: order.least ?? order.decisions,
        price: priceMicros,
        flow: order.flow ?? null,
        replay_key: replay?.key ?? null,
        request_hash: replay?.bodyHash ?? null,
        replays: replay?.answersRetry ?? false
      })

      const settle = Effect.fnUntraced(function* (reservation: Reservation, decisions: number, answer?: StoredAnswer) {
        if (reservation.decisions === 0) return
        const { accountId } = reservation
        const kept = answer !== undefined && (yield* hasRoom(accountId, Buffer.byteLength(answer.body))) ? answer : null
        const settled = yield* instance.settle({
          request_id: reservation.requestId,
          account: accountId,
          decisions,
          price: priceMicros,
          status: kept?.status ?? null,
          headers: kept?.headers ?? null,
          body: kept?.body ?? null
        })
        if (!settled && decisions > 0) return yield* Unavailable.of()
      })

      /** Asks again until the first attempt of the same request, which is still being worked on, has its answer. */
      const afterTheOther = (arrival: Arrival, pause = 50, waited = 0): Effect.Effect<Verdict, Unavailable> =>
        Effect.interruptible(Effect.sleep(pause)).pipe(
          Effect.zipRight(instance.admit(entryOf({ ...arrival, counted: false }))),
          Effect.flatMap((verdict) =>
            verdict.outcome === "running" && waited < longestWait
              ? afterTheOther(arrival, Math.min(pause * 1.5, 1_000), waited + pause)
              : Effect.succeed(verdict)
          )
        )

      const admit = Effect.fnUntraced(function* (arrival: Arrival) {
        const first = yield* instance.admit(entryOf(arrival))
        const verdict = first.outcome === "running" ? yield* afterTheOther(arrival) : first
        switch (verdict.outcome) {
          case "unauthenticated":
            return yield* Unauthenticated.invalid()
          case "rate_limited":
            return yield* RateLimited.of(verdict.rate_limit ?? rateLimit, verdict.retry_after ?? 60)
          case "insufficient":
            return yield* InsufficientCredits.of()
          case "reused":
            return yield* InvalidRequest.at(["body"], "the Idempotency-Key of this request was used for another one")
          case "running":
            return yield* Unavailable.of()
          case "replayed":
            return {
              _tag: "Replayed" as const,
              answer: {
                status: verdict.answer_status ?? 200,
                headers: verdict.answer_headers ?? {},
                body: verdict.answer_body ?? ""
              }
            }
          case "admitted":
            return {
              _tag: "Admitted" as const,
              reservation: {
                requestId: arrival.requestId,
                accountId: verdict.account_id ?? "",
                decisions: verdict.granted,
                retried: arrival.replay !== undefined
              }
            }
        }
      })

      return Admission.of({
        admit,
        settle,
        sent: ({ requestId }) => instance.sent(requestId),
        unsent: ({ requestId, accountId }) => instance.unsent(requestId, accountId),
        writes: instance.holds
      })
    })
  )
  static readonly layer = this.layerNoDeps.pipe(Layer.provide(AdmissionRepo.layer))
}
