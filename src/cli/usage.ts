import { Command, Options } from "@effect/cli"
import { Effect } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { dollars } from "#schema/Ledger"
import { Usage } from "#schema/Usage"
import { accountId, accountOption } from "./account.ts"
import { json, print } from "./Output.ts"

/** `svc usage`: what an account used on each of the last 1 to 90 days, UTC; days without requests only in JSON. */
export const usage = Command.make(
  "usage",
  {
    account: accountOption,
    days: Options.integer("days").pipe(Options.withDefault(30), Options.withDescription("1 to 90")),
    json
  },
  ({ account, days, json }) =>
    Effect.gen(function* () {
      const client = yield* InternalClient
      const report = yield* client.ReadUsage({ account: yield* accountId(account), days })
      yield* print(json, Usage, report, ({ daily }) =>
        daily
          .filter(({ requests }) => requests > 0)
          .map(({ date, requests, decisions, cost_micros }) => ({
            date,
            requests,
            decisions,
            cost: dollars(cost_micros)
          }))
      )
    })
).pipe(Command.withDescription("What an account used, per day"))
