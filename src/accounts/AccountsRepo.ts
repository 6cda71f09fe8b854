import { SqlClient } from "@effect/sql/SqlClient"
import * as SqlSchema from "@effect/sql/SqlSchema"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import { Account } from "#schema/Account"
import type { Unavailable } from "#schema/Errors"
import { iso } from "../database/iso.ts"
import { orUnavailable } from "../database/unavailable.ts"

const Row = Schema.Struct({
  ...Account.fields,
  balance_micros: Schema.NumberFromString,
  reserved_micros: Schema.NumberFromString
})

const Credentials = Schema.Struct({ id: Schema.String, password_hash: Schema.String })

const Replacement = Schema.Struct({ id: Schema.String, before: Schema.String, after: Schema.String })

/** Rows of accounts. */
export class AccountsRepo extends Context.Tag("svc/AccountsRepo")<
  AccountsRepo,
  {
    /** None when the address is taken. */
    readonly insert: (row: {
      readonly id: string
      readonly email: string
      readonly passwordHash: string
    }) => Effect.Effect<Option.Option<Account>, Unavailable>
    readonly byId: (id: string) => Effect.Effect<Option.Option<Account>, Unavailable>
    readonly byEmail: (email: string) => Effect.Effect<Option.Option<Account>, Unavailable>
    readonly credentials: (email: string) => Effect.Effect<Option.Option<typeof Credentials.Type>, Unavailable>
    /** None when the password is another by now; it stays as it is until the transaction ends. */
    readonly withPassword: (id: string, passwordHash: string) => Effect.Effect<Option.Option<Account>, Unavailable>
    /** None when the password is not the one before any more. */
    readonly replacePassword: (row: typeof Replacement.Type) => Effect.Effect<Option.Option<Account>, Unavailable>
    /** Whatever the password is; none when there is no such account. */
    readonly setPassword: (id: string, passwordHash: string) => Effect.Effect<Option.Option<Account>, Unavailable>
    readonly any: Effect.Effect<boolean, Unavailable>
  }
>() {
  static readonly layer = Layer.effect(
    AccountsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const columns = sql`id, email, plan, balance_micros, reserved_micros, ${iso(sql, "created_at")}`

      const insert = SqlSchema.findOne({
        Request: Schema.Struct({ id: Schema.String, email: Schema.String, passwordHash: Schema.String }),
        Result: Row,
        execute: ({ id, email, passwordHash }) => sql`
          insert into accounts (id, email, password_hash) values (${id}, ${email}, ${passwordHash})
          on conflict (email) do nothing returning ${columns}`
      })
      const byId = SqlSchema.findOne({
        Request: Schema.String,
        Result: Row,
        execute: (id) => sql`select ${columns} from accounts where id = ${id}`
      })
      const byEmail = SqlSchema.findOne({
        Request: Schema.String,
        Result: Row,
        execute: (email) => sql`select ${columns} from accounts where email = ${email}`
      })
      const credentials = SqlSchema.findOne({
        Request: Schema.String,
        Result: Credentials,
        execute: (email) => sql`select id, password_hash from accounts where email = ${email}`
      })
      const withPassword = SqlSchema.findOne({
        Request: Credentials,
        Result: Row,
        execute: ({ id, password_hash }) =>
          sql`select ${columns} from accounts where id = ${id} and password_hash = ${password_hash} for share`
      })
      const replacePassword = SqlSchema.findOne({
        Request: Replacement,
        Result: Row,
        execute: ({ id, before, after }) => sql`
          update accounts set password_hash = ${after} where id = ${id} and password_hash = ${before} returning ${columns}`
      })
      const setPassword = SqlSchema.findOne({
        Request: Credentials,
        Result: Row,
        execute: ({ id, password_hash }) =>
          sql`update accounts set password_hash = ${password_hash} where id = ${id} returning ${columns}`
      })

      return AccountsRepo.of({
        insert: (row) => orUnavailable(insert(row)),
        byId: (id) => orUnavailable(byId(id)),
        byEmail: (email) => orUnavailable(byEmail(email)),
        credentials: (email) => orUnavailable(credentials(email)),
        withPassword: (id, password_hash) => orUnavailable(withPassword({ id, password_hash })),
        replacePassword: (row) => orUnavailable(replacePassword(row)),
        setPassword: (id, password_hash) => orUnavailable(setPassword({ id, password_hash })),
        any: orUnavailable(Effect.map(sql`select 1 from accounts limit 1`, (rows) => rows.length > 0))
      })
    })
  )
}
