import { SqlClient } from "@effect/sql/SqlClient"
import * as SqlSchema from "@effect/sql/SqlSchema"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import type { Unavailable } from "#schema/Errors"
import { KeySummary } from "#schema/Key"
import { iso } from "../database/iso.ts"
import { transaction } from "../database/transaction.ts"
import { orUnavailable } from "../database/unavailable.ts"

const NewRow = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  name: Schema.String,
  hash: Schema.Uint8ArrayFromSelf,
  lastFour: Schema.String,
  rateLimit: Schema.NullOr(Schema.Int),
  most: Schema.Int
})

const Owned = Schema.Struct({ accountId: Schema.String, id: Schema.String })

/** Rows of keys; every statement names the account. */
export class KeysRepo extends Context.Tag("svc/KeysRepo")<
  KeysRepo,
  {
    /** None when the account has `most` active keys already. */
    readonly insert: (row: typeof NewRow.Type) => Effect.Effect<Option.Option<KeySummary>, Unavailable>
    /** Oldest first: the active ones, and of the others the hundred made last. */
    readonly list: (accountId: string) => Effect.Effect<ReadonlyArray<KeySummary>, Unavailable>
    readonly revoke: (owned: typeof Owned.Type) => Effect.Effect<Option.Option<KeySummary>, Unavailable>
    readonly limit: (
      limited: typeof Owned.Type & { readonly rateLimit: number | null }
    ) => Effect.Effect<Option.Option<KeySummary>, Unavailable>
  }
>() {
  static readonly layer = Layer.effect(
    KeysRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const summary = sql`id, name, 'svc_…' || last_four as hint, rate_limit, ${iso(sql, "created_at")}, ${iso(sql, "last_used_at")}, ${iso(sql, "revoked_at")}`

      const insert = SqlSchema.findOne({
        Request: NewRow,
        Result: KeySummary,
        execute: (row) => sql`
          insert into keys (id, account_id, name, hash, last_four, rate_limit)
          select ${row.id}, ${row.accountId}, ${row.name}, ${row.hash}, ${row.lastFour}, ${row.rateLimit}::integer
          where (select count(*) from keys where account_id = ${row.accountId} and revoked_at is null) < ${row.most}::integer
          returning ${summary}`
      })
      const list = SqlSchema.findAll({
        Request: Schema.String,
        Result: KeySummary,
        execute: (accountId) => sql`
          select ${summary} from keys where account_id = ${accountId} and (revoked_at is null or id in (
            select id from keys where account_id = ${accountId} and revoked_at is not null
            order by keys.created_at desc, id desc limit 100))
          order by keys.created_at, keys.id`
      })
      const revoke = SqlSchema.findOne({
        Request: Owned,
        Result: KeySummary,
        execute: ({ accountId, id }) => sql`
          update keys set revoked_at = clock_timestamp()
          where id = ${id} and account_id = ${accountId} and revoked_at is null returning ${summary}`
      })
      const limit = SqlSchema.findOne({
        Request: Schema.Struct({ ...Owned.fields, rateLimit: Schema.NullOr(Schema.Int) }),
        Result: KeySummary,
        execute: ({ accountId, id, rateLimit }) => sql`
          update keys set rate_limit = ${rateLimit}::integer
          where id = ${id} and account_id = ${accountId} and revoked_at is null returning ${summary}`
      })

      return KeysRepo.of({
        // The lock comes first: keys are counted one creation at a time.
        insert: (row) =>
          sql`select 1 from accounts where id = ${row.accountId} for update`.pipe(
            Effect.zipRight(insert(row)),
            orUnavailable,
            transaction(sql)
          ),
        list: (accountId) => list(accountId).pipe(orUnavailable),
        revoke: (owned) => revoke(owned).pipe(orUnavailable),
        limit: (limited) => limit(limited).pipe(orUnavailable)
      })
    })
  )
}
