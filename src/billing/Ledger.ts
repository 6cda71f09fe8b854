import { SqlClient } from "@effect/sql/SqlClient"
import * as SqlSchema from "@effect/sql/SqlSchema"
import { Context, Effect, Layer, Option, Schema } from "effect"
import type { Unavailable } from "#schema/Errors"
import { type Credited, LedgerEntry, ReferenceTaken } from "#schema/Ledger"
import { iso } from "../database/iso.ts"
import { transaction } from "../database/transaction.ts"
import { orUnavailable } from "../database/unavailable.ts"

const Row = Schema.Struct({ ...LedgerEntry.fields, micros: Schema.NumberFromString })

/** Money of accounts: an append-only list of entries whose sum is the balance. */
export class Ledger extends Context.Tag("svc/Ledger")<
  Ledger,
  {
    /** Credits once per `reference`, in micros of a US dollar. Where the reference was there already, nothing changes; with another amount it is refused. */
    readonly credit: (
      accountId: string,
      micros: number,
      reference: string
    ) => Effect.Effect<typeof Credited.Type, ReferenceTaken | Unavailable>
    /** The newest entries before `before`, newest first. */
    readonly entries: (
      accountId: string,
      options?: { readonly kind?: LedgerEntry["kind"]; readonly before?: string; readonly most?: number }
    ) => Effect.Effect<ReadonlyArray<LedgerEntry>, Unavailable>
  }
>() {
  static readonly layer = Layer.effect(
    Ledger,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const credit = SqlSchema.single({
        Request: Schema.Struct({ accountId: Schema.String, micros: Schema.Int, reference: Schema.String }),
        Result: Schema.Struct({ balance: Schema.NumberFromString }),
        execute: ({ accountId, micros, reference }) =>
          sql`select credit(${accountId}, ${micros}::bigint, ${reference}) as balance`
      })
      const under = SqlSchema.findOne({
        Request: Schema.Struct({ accountId: Schema.String, reference: Schema.String }),
        Result: Schema.Struct({ micros: Schema.NumberFromString }),
        execute: ({ accountId, reference }) =>
          sql`select micros from ledger where account_id = ${accountId} and kind = 'credit' and reference = ${reference}`
      })
      const entries = SqlSchema.findAll({
        Request: Schema.Struct({
          accountId: Schema.String,
          kind: Schema.NullOr(Schema.String),
          before: Schema.NullOr(Schema.String),
          most: Schema.Int
        }),
        Result: Row,
        execute: ({ accountId, kind, before, most }) => sql`
          select id, kind, micros, decisions, key_id, reference, ${iso(sql, "created_at")}
          from ledger where account_id = ${accountId} and (${kind}::text is null or kind = ${kind})
            and (${before}::bigint is null or id < ${before}::bigint)
          order by ledger.id desc limit ${most}`
      })

      return Ledger.of({
        credit: (accountId, micros, reference) =>
          Effect.gen(function* () {
            // Of two at once the second waits here, and then sees what the first has added.
            yield* sql`select 1 from accounts where id = ${accountId} for no key update`
            const before = yield* under({ accountId, reference })
            if (Option.isSome(before) && before.value.micros !== micros)
              return yield* ReferenceTaken.of(before.value.micros)
            const { balance } = yield* credit({ accountId, micros, reference })
            return { balance_micros: balance, credited_micros: micros, added: Option.isNone(before) }
          }).pipe(Effect.catchTags({ NoSuchElementException: Effect.die, ParseError: Effect.die }), transaction(sql)),
        entries: (accountId, { kind, before, most } = {}) =>
          orUnavailable(entries({ accountId, kind: kind ?? null, before: before ?? null, most: most ?? 100 }))
      })
    })
  )
}
