import { expect } from "bun:test"
import { Effect, Exit, Redacted } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"
import { eitherWay } from "#test/support/internal"

const token = "0123456789abcdef0123456789abcdef"
const app = testApp({ settings: { internalTokens: [{ name: "test", token: Redacted.make(token) }] } })

const levels = (...names: ReadonlyArray<string>) => names.map((name) => ({ name, description: `${name} of 3 stars` }))

withLayer(app)("The levels of a score", () =>
  eitherWay(app, token, (it) => {
    const score = Effect.fn(function* (options: ReturnType<typeof levels>) {
      const { accountId: account } = yield* (yield* TestApp).customer()
      const client = yield* InternalClient
      const spec = { type: "score", question: "How many?", options } as const
      return yield* Effect.exit(Effect.map(client.Decide({ account, spec, text: "I give it 3" }), ({ score }) => score))
    })

    it("go lowest first, in the order in which they are given", () =>
      Effect.gen(function* () {
        expect(yield* score(levels("1", "2", "3"))).toEqual(Exit.succeed(1.727273))
        expect(yield* score(levels("3", "2", "1"))).toEqual(Exit.succeed(0.272727))
        expect(yield* score(levels("few", "3", "2"))).toEqual(Exit.succeed(1))
      }))
  })
)
