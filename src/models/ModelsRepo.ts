import { SqlClient } from "@effect/sql/SqlClient"
import * as SqlSchema from "@effect/sql/SqlSchema"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import type { Unavailable } from "#schema/Errors"
import { RegisteredModel } from "#schema/Model"
import { iso } from "../database/iso.ts"
import { orUnavailable } from "../database/unavailable.ts"

/** The id of no account: it sees what all do. */
export const NOBODY = ""

/** A registered model, and whether the account that asks may use it. */
const Seen = Schema.Struct({ ...RegisteredModel.fields, visible: Schema.Boolean })

const NewRow = RegisteredModel.omit("registered_at")

const Owned = Schema.Struct({ account: Schema.NullOr(Schema.String), name: Schema.String })

/** Rows of registered models. One that was removed stays: its folder may still be there, and must not be served. */
export class ModelsRepo extends Context.Tag("svc/ModelsRepo")<
  ModelsRepo,
  {
    /** What is registered under a name, for any account. */
    readonly registered: (name: string) => Effect.Effect<Option.Option<RegisteredModel>, Unavailable>
    /** Once for the same model and account, however often; none when the name is another's. */
    readonly insert: (row: typeof NewRow.Type) => Effect.Effect<Option.Option<RegisteredModel>, Unavailable>
    readonly remove: (owned: typeof Owned.Type) => Effect.Effect<Option.Option<RegisteredModel>, Unavailable>
    readonly find: (
      accountId: string,
      name: string
    ) => Effect.Effect<Option.Option<{ readonly visible: boolean; readonly checksum: string }>, Unavailable>
    /** What the account may use, and those of `names` that were ever registered. */
    readonly list: (
      accountId: string,
      names: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<typeof Seen.Type>, Unavailable>
    /** What is registered for any account. */
    readonly all: Effect.Effect<ReadonlyArray<RegisteredModel>, Unavailable>
  }
>() {
  static readonly layer = Layer.effect(
    ModelsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fields = sql`name, account_id as account, description, release_date, checksum,
        ${iso(sql, "registered_at")}`
      const isVisible = (accountId: string) =>
        sql`(removed_at is null and (account_id is null or account_id = ${accountId}))`

      const insert = SqlSchema.findOne({
        Request: NewRow,
        Result: RegisteredModel,
        execute: (row) => sql`
          insert into models (name, account_id, description, release_date, checksum)
          values (${row.name}, ${row.account}, ${row.description}, ${row.release_date}, ${row.checksum})
          on conflict (name) do update set
            account_id = excluded.account_id, description = excluded.description, release_date = excluded.release_date,
            checksum = excluded.checksum, removed_at = null,
            registered_at = case when models.removed_at is null then models.registered_at else clock_timestamp() end
          where models.removed_at is not null
            or (models.account_id is not distinct from excluded.account_id and models.checksum = excluded.checksum)
          returning ${fields}`
      })
      const registered = SqlSchema.findOne({
        Request: Schema.String,
        Result: RegisteredModel,
        execute: (name) => sql`select ${fields} from models where name = ${name} and removed_at is null`
      })
      const remove = SqlSchema.findOne({
        Request: Owned,
        Result: RegisteredModel,
        execute: ({ account, name }) => sql`
          update models set removed_at = clock_timestamp()
          where name = ${name} and account_id is not distinct from ${account}::text and removed_at is null
          returning ${fields}`
      })
      const find = SqlSchema.findOne({
        Request: Schema.Struct({ accountId: Schema.String, name: Schema.String }),
        Result: Seen.pick("visible", "checksum"),
        execute: ({ accountId, name }) =>
          sql`select checksum, ${isVisible(accountId)} as visible from models where name = ${name}`
      })
      const list = SqlSchema.findAll({
        Request: Schema.Struct({ accountId: Schema.String, names: Schema.Array(Schema.String) }),
        Result: Seen,
        execute: ({ accountId, names }) => sql`
          select ${fields}, ${isVisible(accountId)} as visible from models
          where ${isVisible(accountId)} or ${sql.in("name", names)}`
      })
      const all = SqlSchema.findAll({
        Request: Schema.Void,
        Result: RegisteredModel,
        execute: () => sql`select ${fields} from models where removed_at is null order by name`
      })

      return ModelsRepo.of({
        registered: (name) => registered(name).pipe(orUnavailable),
        insert: (row) => insert(row).pipe(orUnavailable),
        remove: (owned) => remove(owned).pipe(orUnavailable),
        find: (accountId, name) => find({ accountId, name }).pipe(orUnavailable),
        list: (accountId, names) => list({ accountId, names }).pipe(orUnavailable),
        all: all().pipe(orUnavailable)
      })
    })
  )

  /** Where nothing was ever registered. */
  static readonly layerEmpty = Layer.succeed(
    ModelsRepo,
    ModelsRepo.of({
      registered: () => Effect.succeedNone,
      insert: () => Effect.succeedNone,
      remove: () => Effect.succeedNone,
      find: () => Effect.succeedNone,
      list: () => Effect.succeed([]),
      all: Effect.succeed([])
    })
  )
}
