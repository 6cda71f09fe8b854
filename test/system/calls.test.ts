import { expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"
import { overHttp } from "#test/support/internal"

const token = "0123456789abcdef0123456789abcdef"

const app = testApp({ settings: { internalTokens: [{ name: "test", token: Redacted.make(token) }] } })

const spec = { type: "yes_no", question: "Is it urgent?", cache: false } as const

withLayer(app)("Internal procedures under load", (it) => {
  it(
    "answer 1,000 calls over HTTP at once",
    () =>
      Effect.gen(function* () {
        const client = yield* InternalClient
        const service = yield* TestApp
        const { accountId: account } = yield* service.customer({ decisions: 1_000 })
        const answers = yield* Effect.all(
          Array.from({ length: 1_000 }, () => client.Decide({ account, spec, text: "urgent" })),
          { concurrency: "unbounded" }
        )
        expect(answers.filter(({ decision }) => decision === true)).toHaveLength(1_000)
        expect(yield* service.balance(account)).toEqual({ balance: 0, reserved: 0 })
      }).pipe(Effect.provide(overHttp(token))),
    120_000
  )
})
