import { HttpApiBuilder } from "@effect/platform"
import { Effect, Redacted } from "effect"
import { ConsoleApi } from "#schema/ConsoleApi"
import { Visitor } from "#schema/console/Access"
import { Keys } from "../../keys/Keys.ts"
import { Attempts } from "../Attempts.ts"
import { UsageDaysRepo } from "../UsageDaysRepo.ts"
import { toldWhen } from "./toldWhen.ts"

/** Keys stay in the ledger once they are revoked. */
const mostKeys = 100

/** The page of keys. */
export const KeysHandlers = HttpApiBuilder.group(ConsoleApi, "keys", (handlers) =>
  Effect.gen(function* () {
    const keys = yield* Keys
    const usage = yield* UsageDaysRepo
    const attempts = yield* Attempts

    return handlers
      .handle("listKeys", () =>
        Effect.gen(function* () {
          const { accountId } = yield* Visitor
          const { from } = yield* usage.window(30)
          const days = yield* usage.since(accountId, from)
          const all = yield* keys.list(accountId)
          return {
            keys: all.map((key) => {
              const own = days.filter(({ key_id }) => key_id === key.id)
              return {
                ...key,
                requests: own.reduce((sum, { requests }) => sum + requests, 0),
                decisions: own.reduce((sum, { decisions }) => sum + decisions, 0)
              }
            })
          }
        })
      )
      .handle("createKey", ({ payload: { name } }) =>
        Effect.gen(function* () {
          const { accountId } = yield* Visitor
          yield* toldWhen(attempts.count(["create-key", accountId], mostKeys))
          const { secret, ...key } = yield* keys.create(accountId, name.trim())
          return { ...key, secret: Redacted.value(secret) }
        })
      )
      .handle("revokeKey", ({ path: { id } }) => Effect.flatMap(Visitor, ({ accountId }) => keys.revoke(accountId, id)))
  })
)
