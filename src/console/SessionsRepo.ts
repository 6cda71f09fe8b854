import { SqlClient } from "@effect/sql/SqlClient"
import * as SqlSchema from "@effect/sql/SqlSchema"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import type { Unavailable } from "#schema/Errors"
import { orUnavailable } from "../database/unavailable.ts"

const Owner = Schema.Struct({ account_id: Schema.String, email: Schema.String })

/** Rows of sessions; ends are on the database's clock. */
export class SessionsRepo extends Context.Tag("svc/SessionsRepo")<
  SessionsRepo,
  {
    /** Also forgets sessions that have ended. */
    readonly insert: (hash: Uint8Array, accountId: string) => Effect.Effect<void, Unavailable>
    /** Whose session it is, if it has not ended; one in use ends later. */
    readonly owner: (hash: Uint8Array) => Effect.Effect<Option.Option<typeof Owner.Type>, Unavailable>
    readonly remove: (hash: Uint8Array) => Effect.Effect<void, Unavailable>
    readonly removeAll: (accountId: string) => Effect.Effect<void, Unavailable>
  }
>() {
  static readonly layer = Layer.effect(
    SessionsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const idle = sql.literal("interval '14 days'")
      const longest = sql.literal("interval '90 days'")

      const owner = SqlSchema.findOne({
        Request: Schema.Uint8ArrayFromSelf,
        Result: Owner,
        // Written at most once a day and session: most requests only read.
        execute: (hash) => sql`
          with renewed as (
            update sessions set expires_at = least(clock_timestamp() + ${idle}, created_at + ${longest})
            where hash = ${hash} and expires_at > clock_timestamp()
              and expires_at < least(clock_timestamp() + ${idle}, created_at + ${longest}) - interval '1 day'
          )
          select s.account_id, a.email from sessions s join accounts a on a.id = s.account_id
          where s.hash = ${hash} and s.expires_at > clock_timestamp()`
      })

      return SessionsRepo.of({
        insert: (hash, accountId) =>
          // What another transaction has in hand is left to it: two that wait for each other would both be lost.
          sql`
            delete from sessions where hash in (
              select hash from sessions where expires_at <= clock_timestamp() for update skip locked)`.pipe(
            Effect.zipRight(
              sql`insert into sessions (hash, account_id, expires_at) values (${hash}, ${accountId}, clock_timestamp() + ${idle})`
            ),
            Effect.asVoid,
            orUnavailable
          ),
        owner: (hash) => orUnavailable(owner(hash)),
        remove: (hash) => orUnavailable(Effect.asVoid(sql`delete from sessions where hash = ${hash}`)),
        removeAll: (accountId) =>
          orUnavailable(Effect.asVoid(sql`delete from sessions where account_id = ${accountId}`))
      })
    })
  )
}
