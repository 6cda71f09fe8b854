import { Context, Effect, FiberSet, identity, Layer, Ref, Schema, type Scope } from "effect"
import { AccountId, AccountNotFound } from "#schema/Account"
import type { Order, Refusal } from "#schema/Authorization"
import type { Unauthenticated, Unavailable } from "#schema/Errors"
import { Admission } from "../admission/Admission.ts"
import { randomId } from "../database/id.ts"
import { Settings } from "../Settings.ts"

/** Whose call it is, and whether the account pays for it. */
export interface Payment {
  readonly account: string
  readonly billing?: "account" | "internal"
}

/** Work that is paid for: decisions are held until they are charged, or the scope ends. */
export interface Paid {
  readonly accountId: string
  readonly requestId: string
  readonly reserved: number
  /** Lets work about one text take its turn: at once where it is paid for, else among all that is not. */
  readonly turn: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Charges what was answered and gives back the rest; once. */
  readonly charge: (decisions: number) => Effect.Effect<void, Unavailable>
}

const isAccountId = Schema.is(AccountId)

/** An internal call names an account where others send a key. */
type Unpaid = AccountNotFound | Exclude<Refusal, Unauthenticated>

/** After this an instance that lives on has handed over what it answered. */
const handing = "1 second"

/** The part of the workers' queue that is left to what nobody pays for: no price and no window keep that from filling it. */
const unpaidShare = 1 / 4

/**
 * Lets internal calls be paid like those of /v1: reserved before the work, charged for what was answered.
 * Those that are marked unbilled still need an account, and work on few texts at a time, all of them together.
 */
export class Payer extends Context.Tag("rpc/Payer")<
  Payer,
  {
    readonly reserve: (payment: Payment, order: Order) => Effect.Effect<Paid, Unpaid, Scope.Scope>
    /** `used` says how many decisions the result took; a failure or an interruption takes none. */
    readonly pay: <A, E, R>(
      payment: Payment,
      order: Order,
      work: (paid: Paid) => Effect.Effect<A, E, R>,
      used: (result: A) => number
    ) => Effect.Effect<A, E | Unpaid, Exclude<R, Scope.Scope>>
  }
>() {
  static readonly layer = Layer.scoped(
    Payer,
    Effect.gen(function* () {
      const admission = yield* Admission
      const { queueLimit } = yield* Settings
      const unpaid = yield* Effect.makeSemaphore(Math.max(1, Math.floor(queueLimit * unpaidShare)))
      const handed = yield* FiberSet.make<void>()

      const admitted = (payment: Payment, order: Order, requestId: string) =>
        admission
          .admit({
            requestId,
            party: { accountId: payment.account },
            order: payment.billing === "internal" ? { decisions: 0 } : order,
            counted: payment.billing !== "internal"
          })
          .pipe(
            Effect.catchTag("Unauthenticated", () => AccountNotFound.of()),
            Effect.flatMap((admittance) =>
              admittance._tag === "Admitted"
                ? Effect.succeed(admittance.reservation)
                : Effect.dieMessage("An internal call cannot be a replay.")
            )
          )

      const reserve = Effect.fnUntraced(function* (payment: Payment, order: Order) {
        // What cannot be an id never reaches the database, whose answer is shared with others.
        if (!isAccountId(payment.account)) return yield* AccountNotFound.of()
        const requestId = `req_${randomId()}`
        const open = yield* Ref.make(true)
        const reservation = yield* Effect.acquireRelease(admitted(payment, order, requestId), (made) =>
          Effect.whenEffect(Effect.ignore(admission.settle(made, 0)), Ref.get(open))
        )
        return {
          accountId: payment.account,
          requestId,
          reserved: payment.billing === "internal" ? Number.MAX_SAFE_INTEGER : reservation.decisions,
          turn: payment.billing === "internal" ? unpaid.withPermits(1) : identity,
          charge: (decisions: number) =>
            Effect.uninterruptibleMask((restore) =>
              Ref.set(open, false).pipe(
                Effect.zipRight(admission.settle(reservation, decisions)),
                // Who left while the charge was made is noticed here, the last moment before the answer leaves.
                Effect.zipRight(restore(Effect.void)),
                Effect.onInterrupt(() => admission.unsent(reservation)),
                Effect.zipRight(FiberSet.run(handed, Effect.delay(admission.sent(reservation), handing))),
                Effect.asVoid
              )
            )
        }
      })

      return Payer.of({
        reserve,
        pay: (payment, order, work, used) =>
          Effect.scoped(
            Effect.gen(function* () {
              const paid = yield* reserve(payment, order)
              const result = yield* work(paid)
              yield* paid.charge(used(result))
              return result
            })
          )
      })
    })
  )
}
