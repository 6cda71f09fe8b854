import { expect } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Redacted } from "effect"
import { Accounts } from "#src/accounts/Accounts"
import { FirstStart } from "#src/accounts/FirstStart"
import { Flows } from "#src/flows/Flows"
import { Keys } from "#src/keys/Keys"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"

const startingMicros = 500

/** While the database lacks a table. */
const without = <A, E, R>(table: string, self: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`alter table ${sql(table)} rename to elsewhere`
    const result = yield* self
    yield* sql`alter table elsewhere rename to ${sql(table)}`
    return result
  })

withLayer(testApp({ settings: { startingMicros } }))("An account is made whole or not at all", (it) => {
  for (const table of ["ledger", "flow_versions", "keys"])
    it(`at the first start, should ${table} fail`, () =>
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const started = yield* without(table, Effect.exit(Effect.scoped(Layer.build(FirstStart))))
        expect(started).toMatchObject({ _tag: "Failure", cause: { error: { _tag: "Unavailable" } } })
        expect(yield* accounts.any).toBe(false)
      }))

  it("at the next start, which shows its key", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const accounts = yield* Accounts
      const keys = yield* Keys
      const printed: Array<unknown> = []
      yield* Effect.consoleWith((console) =>
        Effect.scoped(Layer.build(FirstStart)).pipe(
          Effect.withConsole({ ...console, log: (...said) => Effect.sync(() => printed.push(...said)) })
        )
      )
      const account = yield* accounts.find("owner@svc.local")
      expect(account.balance_micros).toBe(startingMicros)
      expect(yield* keys.list(account.id)).toHaveLength(1)
      const [key] = /svc_\w+/.exec(printed.join()) ?? []
      expect((yield* app.send("GET", "/v1/templates", { key: key ?? "" })).status).toBe(200)
    }))

  for (const table of ["ledger", "flow_versions"])
    it(`by a sign-up, should ${table} fail, and the address stays free`, () =>
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const flows = yield* Flows
        const email = `${table}@example.com`
        const create = accounts.create(email, Redacted.make("a password"))
        expect(yield* without(table, Effect.flip(create))).toMatchObject({ _tag: "Unavailable" })
        expect(yield* Effect.flip(accounts.find(email))).toMatchObject({ _tag: "AccountNotFound" })
        const account = yield* create
        expect(account.balance_micros).toBe(startingMicros)
        expect(yield* flows.list(account.id)).toHaveLength(2)
      }))
})

withLayer(testApp())("The password of an account", (it) => {
  it("is changed by one of those who change it at once", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const before = Redacted.make("the first password")
      const { id } = yield* accounts.create("changing@example.com", before)
      const changes = yield* Effect.forEach(
        ["another", "a third"],
        (next) => Effect.either(accounts.changePassword(id, before, Redacted.make(next), Effect.succeed)),
        { concurrency: "unbounded" }
      )
      expect(changes.map(({ _tag }) => _tag).sort()).toEqual(["Left", "Right"])
    }))
})
