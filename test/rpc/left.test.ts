import { expect } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Fiber, Redacted, Stream } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { answeringWith } from "#test/support/answering"
import { TestApp, testApp } from "#test/support/app"
import { eitherWay } from "#test/support/internal"
import { DatabaseOnPostgres } from "#test/support/postgres"

const token = "0123456789abcdef0123456789abcdef"

/** Lets the model answer while it is open. */
const answering = Effect.unsafeMakeLatch()

const inference = answeringWith((ask, plain) => answering.whenOpen(Effect.suspend(() => plain(ask))))

const internalTokens = [{ name: "test", token: Redacted.make(token) }]
const app = testApp({ settings: { internalTokens }, inference, database: DatabaseOnPostgres })

const spec = { type: "yes_no", question: "Is it urgent?", cache: false } as const

eitherWay(app, token, (it) => {
  const calls = [
    [
      "a decision",
      (account: string) => Effect.flatMap(InternalClient, (to) => to.Decide({ account, spec, text: "x" }))
    ],
    [
      "a stream",
      (account: string) =>
        Effect.flatMap(InternalClient, (to) => Stream.runDrain(to.DecideMany({ account, spec, texts: ["x"] })))
    ]
  ] as const
  for (const [name, call] of calls)
    it(`take nothing for ${name} from a service that left before it was sent`, () =>
      Effect.gen(function* () {
        const service = yield* TestApp
        const sql = yield* SqlClient
        const { accountId } = yield* service.customer({ decisions: 10 })
        yield* answering.close
        const asked = yield* Effect.fork(call(accountId))
        yield* Effect.repeat(Effect.delay(service.balance(accountId), "20 millis"), {
          until: ({ reserved }) => reserved > 0
        })
        // The charge waits for this lock, and the caller leaves meanwhile.
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`select 1 from accounts where id = ${accountId} for update`
            yield* answering.open
            yield* Effect.repeat(Effect.delay(sql`select 1 from pg_locks where not granted`, "20 millis"), {
              until: (rows) => rows.length > 0
            })
            yield* Fiber.interruptFork(asked)
            yield* Effect.sleep("200 millis")
          })
        )
        yield* Effect.repeat(
          Effect.delay(sql`select 1 from ledger where account_id = ${accountId} and kind = 'refund'`, "20 millis"),
          { until: (rows) => rows.length === 1, times: 100 }
        )
        expect(yield* service.balance(accountId)).toEqual({ balance: 150, reserved: 0 })
      }))
})
