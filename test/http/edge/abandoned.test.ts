import { expect } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { wrongBooks } from "#test/support/books"
import { http } from "#test/support/service"

const attempts = 60
const keys = attempts / 2

http("A client that goes away", (it) => {
  it("leaves nothing held and nothing charged twice, at whatever moment it goes", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const sql = yield* SqlClient
      const { key, accountId } = yield* app.customer({ decisions: 1_000 })
      const sent = (n: number) => ({
        headers: { "idempotency-key": String(n) },
        body: { template: "spam", text: `number ${n}`, cache: false }
      })
      yield* Effect.promise(() =>
        Promise.allSettled(
          Array.from({ length: attempts }, (_, i) => {
            const { headers, body } = sent(i % keys)
            return fetch(`${app.base}/v1/decide`, {
              method: "POST",
              headers: { authorization: `Bearer ${key}`, ...headers },
              body: JSON.stringify(body),
              signal: AbortSignal.timeout(1 + i)
            })
          })
        )
      )
      const settled = Effect.repeat(Effect.delay(app.balance(accountId), "50 millis"), {
        until: ({ reserved }) => reserved === 0
      })
      /** Charges that were not given back. */
      const charges = sql`
        select count(*)::integer as charged from ledger c where account_id = ${accountId} and kind = 'charge'
          and not exists (select 1 from ledger r where r.account_id = ${accountId} and r.kind = 'refund' and r.reference = c.reference)`
      const { balance } = yield* settled
      expect(yield* wrongBooks).toEqual([])
      const [before] = yield* charges
      expect(Number(before?.charged)).toBeLessThanOrEqual(keys)
      expect(balance).toBe((1_000 - Number(before?.charged)) * 15)

      for (const answered of ["once", "again"]) {
        const replies = yield* Effect.forEach(
          Array.from({ length: keys }, (_, n) => n),
          (n) => app.send("POST", "/v1/decide", { key, ...sent(n) }),
          { concurrency: 8 }
        )
        expect([answered, ...replies.map(({ status }) => status)]).toEqual([answered, ...Array(keys).fill(200)])
        expect(yield* settled).toEqual({ balance: (1_000 - keys) * 15, reserved: 0 })
        expect(yield* charges).toEqual([{ charged: keys }])
        expect(yield* wrongBooks).toEqual([])
      }
    }))
})
