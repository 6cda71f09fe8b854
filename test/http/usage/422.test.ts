import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

const parsing = ["int_parsing", "Input should be a valid integer, unable to parse string as an integer"] as const
const tooSmall = ["greater_than_equal", "Input should be greater than or equal to 1"] as const
const tooLarge = ["less_than_equal", "Input should be less than or equal to 90"] as const

http("GET /v1/usage?days=", (it) => {
  for (const [days, [type, msg]] of [
    ["", parsing],
    ["seven", parsing],
    ["7.5", parsing],
    ["1e1", parsing],
    ["0x10", parsing],
    ["%00", parsing],
    ["Infinity", parsing],
    ["0", tooSmall],
    ["-1", tooSmall],
    ["91", tooLarge],
    ["999999999999999999999999", tooLarge]
  ] as const)
    it(`'${days}' is 422 ${type} at query.days`, () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const { key } = yield* app.customer()
        const { status, body } = yield* app.send("GET", `/v1/usage?days=${days}`, { key })
        expect(status).toBe(422)
        expect(body).toEqual({ detail: [{ loc: ["query", "days"], msg, type }] })
      }))

  for (const days of [1, 90])
    it(`${days} is allowed`, () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const { key } = yield* app.customer()
        const { status, body } = yield* app.send("GET", `/v1/usage?days=${days}`, { key })
        expect(status).toBe(200)
        expect(body.daily).toHaveLength(days)
      }))
})
