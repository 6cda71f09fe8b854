import { Context, Effect, Layer, Option, Ref } from "effect"
import type { Refusal } from "#schema/Authorization"
import { Visitor } from "#schema/console/Access"
import { Admission } from "../admission/Admission.ts"
import { CurrentExchange } from "../http/Exchange.ts"

/** Work of the console that asks the model, paid by the account that is signed in. */
export class Payment extends Context.Tag("svc/Payment")<
  Payment,
  {
    /** Reserves `decisions` before the work; what `used` says of its result is charged before the answer leaves. */
    readonly of: <A, E, R>(
      decisions: number,
      work: (caller: { readonly accountId: string; readonly requestId: string }) => Effect.Effect<A, E, R>,
      used?: (result: A) => number
    ) => Effect.Effect<A, E | Refusal, R | Visitor>
  }
>() {
  static readonly layer = Layer.effect(
    Payment,
    Effect.map(Admission, (admission) =>
      Payment.of({
        of: (decisions, work, used = () => decisions) =>
          Effect.gen(function* () {
            const { accountId } = yield* Visitor
            const { requestId, reservation, answered } = yield* CurrentExchange
            const reserve = admission.admit({ requestId, party: { accountId }, order: { decisions }, counted: true })
            yield* reserve.pipe(
              Effect.tap((admittance) =>
                admittance._tag === "Admitted" ? Ref.set(reservation, Option.some(admittance.reservation)) : Effect.void
              ),
              // The edge must know what was reserved, also when the browser has gone away.
              Effect.uninterruptible
            )
            const result = yield* work({ accountId, requestId })
            yield* Ref.set(answered, used(result))
            return result
          })
      })
    )
  )
}
