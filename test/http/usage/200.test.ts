import { expect } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Redacted } from "effect"
import { Ledger } from "#src/billing/Ledger"
import { Keys } from "#src/keys/Keys"
import { published } from "#test/flows/scene"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

interface Amounts {
  readonly date: string
  readonly requests: number
  readonly decisions: number
  readonly cost_micros: number
  readonly cost_usd: number
}

const day = 86_400_000

http("GET /v1/usage", (it) => {
  const scene = (decisions = 100) =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const customer = yield* app.customer({ decisions })
      const usage = (query = "", key = customer.key) => app.send("GET", `/v1/usage${query}`, { key })
      return { app, ...customer, usage }
    })

  const decide = (key: string) =>
    Effect.flatMap(TestApp, (app) => app.send("POST", "/v1/decide", { key, body: { text: "x", template: "spam" } }))

  it("of an account that has done nothing: its balance, and 30 days of zeros to today", () =>
    Effect.gen(function* () {
      const { usage, keyId, key } = yield* scene()
      const before = new Date().toISOString().slice(0, 10)
      const { status, body } = yield* usage()
      const after = new Date().toISOString().slice(0, 10)
      expect(status).toBe(200)
      expect(body).toEqual({
        balance: { micros: 1500, decisions_left: 100 },
        plan: { name: "prepaid", period_end: null },
        totals: { decisions: 0, cost_micros: 0, cost_usd: 0, requests: 1 },
        daily: expect.any(Array),
        keys: [
          {
            id: keyId,
            name: "test",
            hint: `svc_…${key.slice(-4)}`,
            decisions: 0,
            cost_micros: 0,
            cost_usd: 0,
            requests: 1,
            last_used_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
            revoked: false
          }
        ]
      })
      const dates = body.daily.map(({ date }: Amounts) => date)
      expect(dates).toHaveLength(30)
      expect([before, after]).toContain(dates.at(-1))
      for (const [i, date] of dates.entries())
        expect(date).toBe(new Date(Date.parse(dates[0]) + i * day).toISOString().slice(0, 10))
      expect(body.daily[0]).toEqual({ date: dates[0], decisions: 0, cost_micros: 0, cost_usd: 0, requests: 0 })
    }))

  it("tells what each key did, and adds up to the ledger", () =>
    Effect.gen(function* () {
      const { app, usage, key, keyId, accountId } = yield* scene()
      const keys = yield* Keys
      const ledger = yield* Ledger
      const other = yield* keys.create(accountId, "other")
      const otherKey = Redacted.value(other.secret)
      yield* decide(key)
      yield* decide(key)
      yield* published(accountId, "front-door")
      yield* app.send("POST", "/v1/flows/front-door/run", { key: otherKey, body: { text: "sales" } })
      yield* app.send("POST", "/v1/flows/front-door/run", { key: otherKey, body: {} })
      yield* keys.revoke(accountId, other.id)
      yield* keys.create(accountId, "never used")
      const unused = yield* keys.create(accountId, "revoked unused")
      yield* keys.revoke(accountId, unused.id)

      const { body } = yield* usage("?days=2")
      expect(body.keys).toMatchObject([
        { id: keyId, requests: 3, decisions: 2, cost_micros: 30, cost_usd: 0.00003, revoked: false },
        { id: other.id, name: "other", requests: 2, decisions: 3, cost_micros: 45, cost_usd: 0.000045, revoked: true },
        { name: "never used", requests: 0, decisions: 0, cost_micros: 0, last_used_at: null, revoked: false }
      ])
      expect(body.totals).toEqual({ decisions: 5, cost_micros: 75, cost_usd: 0.000075, requests: 5 })
      const sum = (field: "requests" | "decisions" | "cost_micros") =>
        body.daily.reduce((total: number, amounts: Amounts) => total + amounts[field], 0)
      expect([sum("requests"), sum("decisions"), sum("cost_micros")]).toEqual([5, 5, 75])
      expect(body.balance).toEqual({ micros: 1500 - 75, decisions_left: 95 })
      const entries = yield* ledger.entries(accountId)
      expect(entries.reduce((sum, { micros }) => sum + micros, 0)).toBe(body.balance.micros)
      const charged = yield* ledger.entries(accountId, { kind: "charge" })
      expect(charged.reduce((sum, { micros }) => sum - micros, 0)).toBe(body.totals.cost_micros)
    }))

  it("cuts at days of UTC on the database's calendar, to the day", () =>
    Effect.gen(function* () {
      const { usage, accountId, keyId } = yield* scene()
      const sql = yield* SqlClient
      // Six days ago and the day before: one request, two decisions for a cent each on both.
      yield* sql`insert into usage_days (account_id, key_id, day, requests, decisions, cost_micros)
        select ${accountId}, ${keyId}, (now() at time zone 'utc')::date - n, 1, 2, 20000 from unnest(array[6, 7, 90]) n`
      // What the console did has no key.
      yield* sql`insert into usage_days (account_id, key_id, day, requests, decisions, cost_micros)
        values (${accountId}, '', (now() at time zone 'utc')::date - 6, 5, 7, 105)`
      const week = (yield* usage("?days=7")).body
      expect(week.daily).toHaveLength(7)
      expect(week.daily[0]).toMatchObject({ requests: 6, decisions: 9, cost_micros: 20_105, cost_usd: 0.020105 })
      expect(week.totals).toMatchObject({ requests: 7, decisions: 9, cost_micros: 20_105 })
      expect(week.keys).toMatchObject([{ requests: 2, decisions: 2, cost_micros: 20_000 }])
      expect((yield* usage("?days=8")).body.totals).toMatchObject({ decisions: 11 })
      expect((yield* usage("?days=6")).body.totals).toMatchObject({ decisions: 0 })
      const quarter = (yield* usage("?days=90")).body
      expect(quarter.daily).toHaveLength(90)
      expect(quarter.totals).toMatchObject({ decisions: 11 })
    }))

  it("tells nothing of other accounts", () =>
    Effect.gen(function* () {
      const { usage } = yield* scene(7)
      const busy = yield* scene()
      yield* decide(busy.key)
      const { body } = yield* usage()
      expect(body).toMatchObject({ balance: { micros: 105, decisions_left: 7 }, totals: { decisions: 0, requests: 1 } })
      expect(body.keys).toHaveLength(1)
    }))

  it("says how many decisions a balance with a remainder pays for", () =>
    Effect.gen(function* () {
      const { usage, accountId } = yield* scene(0)
      yield* (yield* Ledger).credit(accountId, 44, "odd")
      expect((yield* usage()).body.balance).toEqual({ micros: 44, decisions_left: 2 })
    }))

  it("is free, and takes the last of repeated days", () =>
    Effect.gen(function* () {
      const { app, usage, accountId } = yield* scene(1)
      expect((yield* usage("?days=3&days=2&other=x")).body.daily).toHaveLength(2)
      expect((yield* usage("?days=%2B4")).body.daily).toHaveLength(4)
      expect(yield* app.balance(accountId)).toEqual({ balance: 15, reserved: 0 })
    }))
})
