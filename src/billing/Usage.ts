import { SqlClient } from "@effect/sql/SqlClient"
import * as SqlSchema from "@effect/sql/SqlSchema"
import { Context, Effect, Layer, Schema } from "effect"
import type { Unavailable } from "#schema/Errors"
import type { Usage as Report } from "#schema/Usage"
import { iso } from "../database/iso.ts"
import { orUnavailable } from "../database/unavailable.ts"
import { Settings } from "../Settings.ts"

const amounts = { requests: Schema.Int, decisions: Schema.Int, cost_micros: Schema.Int }

const Row = Schema.Struct({
  plan: Schema.String,
  balance_micros: Schema.NumberFromString,
  daily: Schema.Array(Schema.Struct({ date: Schema.String, ...amounts })),
  keys: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      name: Schema.String,
      hint: Schema.String,
      ...amounts,
      last_used_at: Schema.NullOr(Schema.String),
      revoked: Schema.Boolean
    })
  )
})

const inDollars = <A extends { readonly cost_micros: number }>(amount: A) => ({
  ...amount,
  cost_usd: amount.cost_micros / 1_000_000
})

/** What accounts have and use, on the database's calendar (UTC). */
export class Usage extends Context.Tag("svc/Usage")<
  Usage,
  {
    /** Of the last `days` days, today included. One statement reads it all, so its sums agree. */
    readonly of: (accountId: string, days: number) => Effect.Effect<Report, Unavailable>
  }
>() {
  static readonly layer = Layer.effect(
    Usage,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { priceMicros } = yield* Settings

      const row = SqlSchema.single({
        Request: Schema.Struct({ accountId: Schema.String, days: Schema.Int }),
        Result: Row,
        execute: ({ accountId, days }) => sql`
          with span as (
            select today - ${days}::integer + n as day
            from (select (now() at time zone 'utc')::date as today) as clock, generate_series(1, ${days}::integer) as n
          ), used as (
            select u.* from usage_days u join span using (day) where u.account_id = ${accountId}
          ), day as (
            select s.day::text as date, coalesce(sum(u.requests), 0) as requests, coalesce(sum(u.decisions), 0) as decisions,
              coalesce(sum(u.cost_micros), 0) as cost_micros
            from span s left join used u on u.day = s.day group by s.day
          ), key as (
            select k.id, k.name, 'svc_…' || k.last_four as hint, coalesce(sum(u.requests), 0) as requests,
              coalesce(sum(u.decisions), 0) as decisions, coalesce(sum(u.cost_micros), 0) as cost_micros,
              ${iso(sql, "k.last_used_at", "last_used_at")},
              k.revoked_at is not null as revoked, k.created_at
            from keys k left join used u on u.key_id = k.id where k.account_id = ${accountId}
            group by k.id having k.revoked_at is null or count(u.day) > 0
          )
          select a.plan, a.balance_micros, (select json_agg(d order by d.date) from day d) as daily,
            (select coalesce(json_agg(k order by k.created_at, k.id), '[]') from key k) as keys
          from accounts a where a.id = ${accountId}`
      })

      const of = Effect.fn("Usage.of")(function* (accountId: string, days: number) {
        const { plan, balance_micros, daily, keys } = yield* row({ accountId, days }).pipe(
          Effect.catchTag("NoSuchElementException", Effect.die),
          orUnavailable
        )
        const sum = (field: "requests" | "decisions" | "cost_micros") =>
          daily.reduce((total, day) => total + day[field], 0)
        return {
          balance: {
            micros: balance_micros,
            decisions_left: priceMicros === 0 ? null : Math.floor(balance_micros / priceMicros)
          },
          plan: { name: plan, period_end: null },
          totals: inDollars({
            requests: sum("requests"),
            decisions: sum("decisions"),
            cost_micros: sum("cost_micros")
          }),
          daily: daily.map(inDollars),
          keys: keys.map(inDollars)
        }
      })

      return Usage.of({ of })
    })
  )
}
