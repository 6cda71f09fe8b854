import { expect } from "bun:test"
import { Effect, Exit, Redacted } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"
import { eitherWay } from "#test/support/internal"

const token = "0123456789abcdef0123456789abcdef"
const app = testApp({ settings: { internalTokens: [{ name: "test", token: Redacted.make(token) }] } })

withLayer(app)("Two questions of one id", () =>
  eitherWay(app, token, (it) =>
    it("are refused, and not paid for", () =>
      Effect.gen(function* () {
        const { balance, customer } = yield* TestApp
        const { accountId: account } = yield* customer({ decisions: 2 })
        const client = yield* InternalClient
        const ask = (second: string) =>
          Effect.exit(
            client.AnswerSet({
              account,
              request: {
                state: "It is urgent",
                model: "svc-auto",
                questions: [
                  ["q", { type: "noul", instructions: "Is it urgent?" }],
                  [second, { type: "score", criteria: ["low", "high"] }]
                ]
              }
            })
          )
        expect(Exit.isFailure(yield* ask("q"))).toBe(true)
        expect((yield* balance(account)).balance).toBe(30)
        expect(Exit.isSuccess(yield* ask("other"))).toBe(true)
      }))
  )
)
