import { expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { Accounts } from "#src/accounts/Accounts"
import { Ledger } from "#src/billing/Ledger"
import { TestApp, testApp } from "#test/support/app"
import { live } from "#test/support/effect"
import { http } from "#test/support/service"
import { fromPage, operator, visitor } from "./visitor.ts"

const questions = [["topic", { type: "choice", instructions: "What?", criteria: { refund: null, praise: null } }]]

http("Asking from the console", (it) => {
  it("is billed to the account, and counted beside its keys", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const ledger = yield* Ledger
      const { accountId, send } = yield* visitor
      yield* ledger.credit(accountId, 1_000, "test")
      const asked = yield* send("POST", "/ask", { state: "a refund please", model: "svc-auto", questions })
      expect(asked.status).toBe(200)
      expect(asked.body.answers.topic.choice).toBe("refund")
      expect(yield* app.balance(accountId)).toEqual({ balance: 1_000 - 15, reserved: 0 })
      const moderated = yield* send("POST", "/moderate", { text: "hello" })
      expect(Object.keys(moderated.body.result.category_scores)).toHaveLength(13)
      expect(yield* app.balance(accountId)).toEqual({ balance: 1_000 - 15 - 8 * 15, reserved: 0 })
      const { days } = (yield* send("GET", "/usage?days=30")).body
      expect(days).toEqual([{ date: expect.any(String), key_id: "", requests: 2, decisions: 9, cost_micros: 9 * 15 }])
    }))

  it("is refused when the balance does not cover it, and nothing is charged", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { accountId, send } = yield* visitor
      const refused = yield* send("POST", "/ask", { state: "x", model: "svc-auto", questions })
      expect(refused.status).toBe(402)
      expect(yield* app.balance(accountId)).toEqual({ balance: 0, reserved: 0 })
    }))

  it("charges nothing for what could not be asked", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const ledger = yield* Ledger
      const { accountId, send } = yield* visitor
      yield* ledger.credit(accountId, 1_000, "test")
      expect((yield* send("POST", "/ask", { state: "x", model: "no-such-model", questions })).status).toBe(422)
      expect(yield* app.balance(accountId)).toEqual({ balance: 1_000, reserved: 0 })
    }))

  it("is refused where an answer would have no id of its own", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const ledger = yield* Ledger
      const { accountId, send } = yield* visitor
      yield* ledger.credit(accountId, 1_000, "test")
      const question = { type: "noul", instructions: "Is it?" }
      for (const [ids, msg] of [
        [["q", "q"], "Value error, two questions have the same id"],
        [["__proto__"], "Value error, '__proto__' cannot be the id of a question"]
      ] as const) {
        const body = { state: "x", model: "svc-auto", questions: ids.map((id) => [id, question]) }
        const { status, body: told } = yield* send("POST", "/ask", body)
        expect([status, told.detail.map((fault: { msg: string }) => fault.msg)]).toEqual([422, [msg]])
      }
      expect(yield* app.balance(accountId)).toEqual({ balance: 1_000, reserved: 0 })
    }))

  it("keeps the request id of the question in its answer", () =>
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const { accountId, send } = yield* visitor
      yield* ledger.credit(accountId, 1_000, "test")
      const asked = yield* send("POST", "/ask/template", {
        template: "spam",
        text: "Win a prize now",
        model: "svc-auto"
      })
      expect(asked.body.request_id).toBe(asked.headers.get("x-request-id"))
    }))
})

http("Use", (it) => {
  it("of days that are none is refused in words that say what to change", () =>
    Effect.gen(function* () {
      const { send } = yield* visitor
      for (const [days, msg] of [
        ["abc", "Input should be a valid integer, unable to parse string as an integer"],
        ["0", "Input should be greater than or equal to 1"],
        ["91", "Input should be less than or equal to 90"]
      ]) {
        const { status, body } = yield* send("GET", `/usage?days=${days}`)
        expect([status, body.detail[0]]).toMatchObject([422, { loc: ["query", "days"], msg }])
      }
    }))
})

http("Credit", (it) => {
  it("is granted by operators alone", () =>
    Effect.gen(function* () {
      const { email, send } = yield* visitor
      const refused = yield* send("POST", "/credits", { email, micros: 1_000_000, reference: "gift" })
      expect(refused.status).toBe(403)
      expect((yield* send("GET", "/billing")).body.account.balance_micros).toBe(0)
    }))
})

live(
  "An operator grants credit once per reference, and nobody can sign up under an operator's address",
  () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const accounts = yield* Accounts
      const taken = yield* app.send("POST", "/console/api/account", { body: operator, headers: fromPage })
      expect(taken.status).toBe(409)
      yield* accounts.create(operator.email, Redacted.make(operator.password))
      const { headers, body } = yield* app.send("POST", "/console/api/session", { body: operator, headers: fromPage })
      expect(body.operator).toBe(true)
      const cookie = headers.getSetCookie()[0]?.split(";")[0] ?? ""
      const grant = (reference: string, email = operator.email, micros = 2_000_000) =>
        app.send("POST", "/console/api/credits", {
          body: { email, micros, reference },
          headers: { ...fromPage, cookie }
        })
      expect((yield* grant("march")).body).toEqual({
        email: operator.email,
        balance_micros: 2_000_000,
        credited_micros: 2_000_000,
        added: true
      })
      expect((yield* grant("march")).body).toMatchObject({ balance_micros: 2_000_000, added: false })
      const another = yield* grant("march", operator.email, 5_000_000)
      expect([another.status, another.body.detail]).toEqual([
        409,
        {
          error_type: "reference_taken",
          message: "Nothing was added: $2.00 came under this reference before. Another amount takes another reference."
        }
      ])
      expect((yield* grant("april")).body.balance_micros).toBe(4_000_000)
      expect((yield* grant("may", "nobody@example.com")).status).toBe(404)
      expect((yield* grant("may\u0000")).status).toBe(422)
      expect((yield* grant("may", operator.email, 1.5)).body.detail).toEqual([
        { loc: ["body", "micros"], msg: "Input should be a valid integer", type: "int_parsing" }
      ])
    }).pipe(Effect.provide(testApp({ settings: { operatorEmails: new Set([operator.email]) } }))),
  30_000
)

live(
  "Strangers make no account where sign-up is closed",
  () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      expect((yield* app.send("GET", "/console/api/session")).body.sign_up).toBe(false)
      const refused = yield* app.send("POST", "/console/api/account", { body: operator, headers: fromPage })
      expect([refused.status, refused.body.detail.error_type]).toEqual([403, "sign_up_closed"])
    }).pipe(Effect.provide(testApp({ settings: { signUp: false } }))),
  30_000
)
