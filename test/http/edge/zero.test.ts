import { expect } from "bun:test"
import { Effect } from "effect"
import { visitor } from "#test/console/visitor"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

http("A NUL character, which PostgreSQL cannot keep", (it) => {
  it("is a fault of the request, or kept out of the database, wherever it comes", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const { send } = yield* visitor
      const decide = { text: "a", type: "choice", question: "Which?", options: ["a\u0000", "b"] }
      const got = {
        model: (yield* app.send("POST", "/v1/decide", { key, body: { ...decide, model: "\u0000" } })).status,
        slug: (yield* app.send("GET", "/v1/flows/%00", { key })).status,
        run: (yield* app.send("POST", "/v1/flows/a%00/run", { key, body: { text: "a" } })).status,
        kept: (yield* app.send("POST", "/v1/decide", { key, body: decide, headers: { "idempotency-key": "zero" } }))
          .status,
        again: (yield* app.send("POST", "/v1/decide", { key, body: decide, headers: { "idempotency-key": "zero" } }))
          .status,
        signIn: (yield* send("POST", "/session", { email: "a\u0000@example.com", password: "x" })).status,
        signUp: (yield* send("POST", "/account", { email: "a\u0000@example.com", password: "long enough a password" }))
          .status,
        keyName: (yield* send("POST", "/keys", { name: "k\u0000" })).status
      }
      expect(got).toEqual({
        model: 422,
        slug: 404,
        run: 404,
        kept: 200,
        again: 200,
        signIn: 422,
        signUp: 422,
        keyName: 422
      })
    }))
})
