import { expect } from "bun:test"
import { Effect } from "effect"
import { Ledger } from "#src/billing/Ledger"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"

const statuses = (items: ReadonlyArray<{ readonly status: number }>) => items.map(({ status }) => status)

withLayer(testApp({ settings: { priceMicros: 40 } }))("At 40 micros a decision", (it) => {
  it("100 micros pay for two, and for what is left there is none", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const ledger = yield* Ledger
      const { key, accountId } = yield* app.customer({ decisions: 0 })
      yield* ledger.credit(accountId, 100, "for two and a half")
      const texts = ["a", "b", "c"]
      const { body } = yield* app.send("POST", "/v1/decide/batch", { key, body: { texts, template: "spam" } })
      expect(statuses(body.results)).toEqual([200, 200, 402])
      expect(body.results[0].usage).toMatchObject({ decisions: 1, cost_micros: 40, cost_usd: 0.00004 })
      expect(body.usage).toEqual({ decisions: 2, failed: 1, cost_micros: 80, cost_usd: 0.00008 })
      expect(yield* app.balance(accountId)).toEqual({ balance: 20, reserved: 0 })
      expect((yield* app.send("POST", "/v1/decide", { key, body: { text: "d", template: "spam" } })).status).toBe(402)
      const usage = (yield* app.send("GET", "/v1/usage?days=1", { key })).body
      expect(usage.balance).toEqual({ micros: 20, decisions_left: 0 })
      expect(usage.totals).toMatchObject({ decisions: 2, cost_micros: 80, cost_usd: 0.00008 })
    }))

  it("a set costs each of its questions, and a moderated text eight times as much", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const ledger = yield* Ledger
      const { key, accountId } = yield* app.customer({ decisions: 0 })
      yield* ledger.credit(accountId, 2 * 40 + 8 * 40, "to the micro")
      const questions = { a: { type: "noul" }, b: { type: "noul" } }
      const set = yield* app.send("POST", "/v1/systemone", { key, body: { state: "x", model: "svc-auto", questions } })
      expect(set.body.meta).toMatchObject({ decisions: 2, cost_micros: 80, cost_usd: 0.00008 })
      expect((yield* app.send("POST", "/v1/moderations", { key, body: { input: "x" } })).status).toBe(200)
      expect(yield* app.balance(accountId)).toEqual({ balance: 0, reserved: 0 })
    }))
})

withLayer(testApp({ settings: { priceMicros: 0 } }))("Where decisions cost nothing", (it) => {
  it("an account without credit gets its answers, and is not told how many are left", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 0 })
      const one = yield* app.send("POST", "/v1/decide", { key, body: { text: "a", template: "spam" } })
      expect([one.status, one.body.usage.cost_micros, one.body.usage.cost_usd]).toEqual([200, 0, 0])
      const texts = ["a", "b", "c"]
      const batch = yield* app.send("POST", "/v1/decide/batch", { key, body: { texts, template: "spam" } })
      expect(statuses(batch.body.results)).toEqual([200, 200, 200])
      expect((yield* app.send("POST", "/v1/moderations", { key, body: { input: "a" } })).status).toBe(200)
      expect(yield* app.balance(accountId)).toEqual({ balance: 0, reserved: 0 })
      const usage = (yield* app.send("GET", "/v1/usage?days=1", { key })).body
      expect(usage.balance).toEqual({ micros: 0, decisions_left: null })
      expect(usage.totals).toMatchObject({ decisions: 12, cost_micros: 0, cost_usd: 0 })
    }))
})
