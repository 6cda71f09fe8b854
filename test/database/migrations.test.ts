import { expect } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { embedded } from "#src/database/Embedded"
import { migrations } from "#src/database/Migrations"
import { startFailure } from "#src/startFailure"
import { DatabaseInMemory } from "#test/support/database"
import { live, withLayer } from "#test/support/effect"

const recorded = Effect.flatMap(
  SqlClient,
  (sql) => sql<{ migration_id: number; name: string }>`select migration_id, name from effect_sql_migrations order by 1`
)

withLayer(DatabaseInMemory)("Migrations", (it) => {
  it("keep the numbers and names under which databases have them: what is recorded is not carried out again", () =>
    Effect.gen(function* () {
      const before = yield* recorded
      expect(before.map(({ migration_id, name }) => `${migration_id} ${name}`)).toEqual([
        "1 accounts_and_keys",
        "2 ledger_and_usage",
        "3 flows",
        "4 admission",
        "5 sessions",
        "6 models",
        "7 answers_by_request"
      ])
      yield* Effect.scoped(Layer.build(migrations))
      expect(yield* recorded).toEqual(before)
    }))

  it("make the functions of a database what they are now, though it has had others for long", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const undo = sql<{ prosrc: string }>`select prosrc from pg_proc where proname = 'undo'`
      const now = yield* undo
      yield* sql`create or replace function undo(requests jsonb) returns void language plpgsql as $$ begin end $$`
      expect(yield* undo).not.toEqual(now)
      yield* Effect.scoped(Layer.build(migrations))
      expect(yield* undo).toEqual(now)
    }))
})

live("A migration that fails stops the start with its name and PostgreSQL's words", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`create table accounts (n integer)`
    const why = yield* Effect.flip(Effect.sandbox(Effect.scoped(Layer.build(migrations))))
    expect(startFailure(why)).toBe(
      'The database cannot be brought up to date: Migration "1_accounts_and_keys" failed: relation "accounts" already exists'
    )
  }).pipe(Effect.provide(embedded({})))
)
