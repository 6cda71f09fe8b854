import { expect } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { visitor } from "#test/console/visitor"
import { TestApp, testApp } from "#test/support/app"
import { movableClock } from "#test/support/clock"
import { withLayer } from "#test/support/effect"
import { DatabaseOnPostgres } from "#test/support/postgres"

const hour = 3_600_000
const { clock, setAhead } = movableClock()

withLayer(testApp({ database: Layer.orDie(DatabaseOnPostgres) }).pipe(Layer.provideMerge(clock)))(
  "An instance whose clock is wrong",
  (it) => {
    it("keeps windows, days, retries, sessions and money as the database's clock has them", () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const sql = yield* SqlClient
        const { key, keyId, accountId } = yield* app.customer({ decisions: 10, rateLimit: 4 })
        const { send } = yield* visitor
        const now = Date.now
        yield* Effect.addFinalizer(() =>
          Effect.zipRight(
            setAhead(0),
            Effect.sync(() => {
              Date.now = now
            })
          )
        )
        const at = (offset: number) =>
          Effect.zipRight(
            setAhead(offset),
            Effect.sync(() => {
              Date.now = () => now() + offset
            })
          )
        const decide = app.send("POST", "/v1/decide", {
          key,
          body: { template: "spam", text: "once", cache: false },
          headers: { "idempotency-key": "one" }
        })
        const first = yield* decide
        for (const offset of [hour, -hour, 24 * hour]) {
          yield* at(offset)
          const again = yield* decide
          expect([again.status, again.body]).toEqual([200, first.body])
          expect((yield* send("GET", "/keys")).status).toBe(200)
        }
        for (const offset of [hour, -hour, 0]) {
          yield* at(offset)
          const reply = yield* decide
          expect(reply.status).toBe(429)
          expect(Number(reply.headers.get("retry-after"))).toBeLessThanOrEqual(60)
        }
        yield* sql`update sessions set expires_at = clock_timestamp()`
        yield* at(-24 * hour)
        expect((yield* send("GET", "/keys")).status).toBe(401)
        yield* at(hour)
        yield* app.ageWindow(keyId, 60)
        expect((yield* decide).status).toBe(200)
        yield* app.ageWindow(keyId, 60)
        const usage = yield* app.send("GET", "/v1/usage?days=1", { key })
        const [today] = yield* sql`select (now() at time zone 'utc')::date::text as today`
        expect(usage.body.daily).toMatchObject([{ date: today?.today, decisions: 1 }])
        expect(yield* app.balance(accountId)).toEqual({ balance: 9 * 15, reserved: 0 })
      }))
  }
)
