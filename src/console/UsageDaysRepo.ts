import { SqlClient } from "@effect/sql/SqlClient"
import * as SqlSchema from "@effect/sql/SqlSchema"
import { Context, Effect, Layer, Schema } from "effect"
import { UsageDay } from "#schema/console/Billing"
import type { Unavailable } from "#schema/Errors"
import { orUnavailable } from "../database/unavailable.ts"

const Row = Schema.Struct({
  ...UsageDay.fields,
  requests: Schema.NumberFromString,
  decisions: Schema.NumberFromString,
  cost_micros: Schema.NumberFromString
})

const Window = Schema.Struct({ from: Schema.String, to: Schema.String })

/** What an account's keys did day by day, on the database's calendar (UTC). */
export class UsageDaysRepo extends Context.Tag("svc/UsageDaysRepo")<
  UsageDaysRepo,
  {
    /** The last `days` days, today included. */
    readonly window: (days: number) => Effect.Effect<typeof Window.Type, Unavailable>
    readonly since: (accountId: string, from: string) => Effect.Effect<ReadonlyArray<UsageDay>, Unavailable>
  }
>() {
  static readonly layer = Layer.effect(
    UsageDaysRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const window = SqlSchema.single({
        Request: Schema.Int,
        Result: Window,
        execute: (days) => sql`
          select (today - ${days}::integer + 1)::text as "from", today::text as "to"
          from (select (clock_timestamp() at time zone 'utc')::date as today) as clock`
      })
      const since = SqlSchema.findAll({
        Request: Schema.Struct({ accountId: Schema.String, from: Schema.String }),
        Result: Row,
        execute: ({ accountId, from }) => sql`
          select day::text as date, key_id, requests, decisions, cost_micros from usage_days
          where account_id = ${accountId} and day >= ${from}::date order by day, key_id`
      })

      return UsageDaysRepo.of({
        window: (days) => window(days).pipe(Effect.catchTag("NoSuchElementException", Effect.die), orUnavailable),
        since: (accountId, from) => orUnavailable(since({ accountId, from }))
      })
    })
  )
}
