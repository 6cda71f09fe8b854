import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { ConsoleApi } from "#schema/ConsoleApi"
import { NotOperator, Visitor } from "#schema/console/Access"
import { Accounts } from "../../accounts/Accounts.ts"
import { Ledger } from "../../billing/Ledger.ts"
import { Keys } from "../../keys/Keys.ts"
import { UsageDaysRepo } from "../UsageDaysRepo.ts"

const shownCredits = 50

/** The pages of usage and billing, and the operator's granting of credit. */
export const BillingHandlers = HttpApiBuilder.group(ConsoleApi, "billing", (handlers) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const ledger = yield* Ledger
    const keys = yield* Keys
    const usage = yield* UsageDaysRepo

    return handlers
      .handle("usage", ({ urlParams: { days } }) =>
        Effect.gen(function* () {
          const { accountId } = yield* Visitor
          const window = yield* usage.window(days)
          const all = yield* keys.list(accountId)
          return {
            ...window,
            days: yield* usage.since(accountId, window.from),
            keys: all.map(({ id, name }) => ({ id, name }))
          }
        })
      )
      .handle("billing", () =>
        Effect.gen(function* () {
          const { accountId } = yield* Visitor
          const account = yield* accounts.get(accountId).pipe(Effect.catchTag("AccountNotFound", Effect.die))
          const entries = yield* ledger.entries(accountId, { kind: "credit", most: shownCredits })
          return {
            account,
            credits: entries.map(({ id, micros, reference, created_at }) => ({ id, micros, reference, created_at }))
          }
        })
      )
      .handle("grantCredit", ({ payload: { email, micros, reference } }) =>
        Effect.gen(function* () {
          const visitor = yield* Visitor
          if (!visitor.operator) return yield* NotOperator.of()
          const account = yield* accounts.find(email)
          const credited = yield* ledger.credit(account.id, micros, reference.trim())
          yield* Effect.logInfo("an operator granted credit").pipe(
            Effect.annotateLogs({ operator: visitor.accountId, account: account.id, micros: credited.credited_micros }),
            Effect.when(() => credited.added)
          )
          return { email: account.email, ...credited }
        })
      )
  })
)
