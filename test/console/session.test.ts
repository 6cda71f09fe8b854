import { expect, spyOn } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Fiber } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"
import { fromPage, visitor } from "./visitor.ts"

http("A session of the console", (it) => {
  it("begins with sign-up, in a cookie that scripts and other sites never see", () =>
    Effect.gen(function* () {
      const { email, signedUp, send } = yield* visitor
      const [cookie = ""] = signedUp.headers.getSetCookie()
      expect(signedUp.status).toBe(200)
      expect(signedUp.body.account.email).toBe(email)
      expect(cookie).toContain("HttpOnly")
      expect(cookie).toContain("SameSite=Strict")
      expect(cookie).toContain("Path=/console")
      expect(cookie).not.toContain("Secure")
      expect((yield* send("GET", "/session")).body.account.email).toBe(email)
    }))

  it("is marked Secure where the page came over https", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { email, password } = yield* visitor
      const reply = yield* app.send("POST", "/console/api/session", {
        body: { email, password },
        headers: { ...fromPage, origin: "https://decisions.example" }
      })
      expect(reply.headers.getSetCookie()[0]).toContain("Secure")
    }))

  it("gets a new token at every sign-in, and the old one is worth nothing", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { email, password, send, cookie } = yield* visitor
      const before = cookie()
      yield* send("POST", "/session", { email, password })
      expect(cookie()).not.toBe(before)
      const reply = yield* app.send("GET", "/console/api/keys", { headers: { cookie: before } })
      expect(reply.status).toBe(401)
      expect(reply.body.detail.error_type).toBe("session_error")
    }))

  it("answers no page that shows another account, as one that was open before somebody else signed in", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { accountId, cookie } = yield* visitor
      const listed = (account: string) =>
        app.send("GET", "/console/api/keys", { headers: { cookie: cookie(), "x-console-account": account } })
      expect((yield* listed(accountId)).status).toBe(200)
      const { status, body } = yield* listed("acc_another")
      expect([status, body.detail.error_type]).toEqual([401, "session_error"])
    }))

  it("is not over because the database cannot be asked just now", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { send } = yield* visitor
      yield* sql`alter table sessions rename to elsewhere`
      const refused = yield* Effect.ensuring(
        send("GET", "/keys"),
        Effect.orDie(sql`alter table elsewhere rename to sessions`)
      )
      expect([refused.status, refused.body.detail.error_type]).toEqual([503, "api_error"])
      expect((yield* send("GET", "/keys")).status).toBe(200)
    }))

  it("ends with sign-out", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { send, cookie } = yield* visitor
      const before = cookie()
      expect((yield* send("DELETE", "/session")).body.account).toBeNull()
      expect((yield* app.send("GET", "/console/api/keys", { headers: { cookie: before } })).status).toBe(401)
    }))

  it("ends on the database's clock, and lasts longer while it is used", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId, send } = yield* visitor
      yield* sql`update sessions set expires_at = clock_timestamp() + interval '1 hour' where account_id = ${accountId}`
      expect((yield* send("GET", "/keys")).status).toBe(200)
      const [renewed] = yield* sql<{ later: boolean }>`
        select expires_at > clock_timestamp() + interval '13 days' as later from sessions where account_id = ${accountId}`
      expect(renewed?.later).toBe(true)
      yield* sql`update sessions set expires_at = clock_timestamp() where account_id = ${accountId}`
      expect((yield* send("GET", "/keys")).status).toBe(401)
    }))

  it("is kept as a hash", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId, cookie } = yield* visitor
      const [row] = yield* sql<{ hash: Uint8Array }>`select hash from sessions where account_id = ${accountId}`
      expect(row?.hash.length).toBe(32)
      expect(Buffer.from(row?.hash ?? []).toString("base64url")).not.toBe(cookie().split("=")[1] ?? "")
    }))

  it("is one of several, all of which end when the password changes", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { email, password, send } = yield* visitor
      const elsewhere = yield* app.send("POST", "/console/api/session", {
        body: { email, password },
        headers: fromPage
      })
      const cookie = elsewhere.headers.getSetCookie()[0]?.split(";")[0] ?? ""
      const next = "another good password"
      const wrong = yield* send("POST", "/account/password", { current: "not the password", next })
      expect([wrong.status, wrong.body.detail.message]).toEqual([400, "The current password is wrong."])
      expect((yield* send("POST", "/account/password", { current: password, next })).status).toBe(200)
      expect((yield* app.send("GET", "/console/api/keys", { headers: { cookie } })).status).toBe(401)
      expect((yield* send("GET", "/keys")).status).toBe(200)
      expect((yield* send("POST", "/session", { email, password })).status).toBe(400)
      expect((yield* send("POST", "/session", { email, password: next })).status).toBe(200)
    }))
})

http("Signing up", (it) => {
  it("takes no address that looks like another's for the characters in it that nobody sees", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { email, password } = yield* visitor
      for (const unseen of ["\u200b", "\u200d", "\u202e", "\u2060", "\u00ad", "\ufeff"])
        for (const address of [email.replace("@", `${unseen}@`), `${email}${unseen}m`]) {
          const body = { email: address, password }
          const { status } = yield* app.send("POST", "/console/api/account", { body, headers: fromPage })
          expect([unseen, status]).toEqual([unseen, 422])
        }
    }))

  it("is refused at an address that is taken, however its letters are composed", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const sign = (email: string) =>
        app.send("POST", "/console/api/account", {
          body: { email, password: "correct horse battery" },
          headers: fromPage
        })
      expect((yield* sign("caf\u00e9@example.com")).status).toBe(200)
      expect((yield* sign("cafe\u0301@example.com")).status).toBe(409)
    }))

  it("is refused at an address that is taken before the password is hashed", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { email, password } = yield* visitor
      const hash = yield* Effect.acquireRelease(
        Effect.sync(() => spyOn(Bun.password, "hash")),
        (spy) => Effect.sync(() => spy.mockRestore())
      )
      const body = { email: email.toUpperCase(), password }
      const { status } = yield* app.send("POST", "/console/api/account", { body, headers: fromPage })
      expect([status, hash.mock.calls.length]).toEqual([409, 0])
    }))
})

http("Signing in", (it) => {
  const signIn = Effect.fn(function* (email: string, password: string) {
    const app = yield* TestApp
    return yield* app.send("POST", "/console/api/session", { body: { email, password }, headers: fromPage })
  })

  it("says the same of a wrong password and of an unknown address", () =>
    Effect.gen(function* () {
      const { email } = yield* visitor
      const wrong = yield* signIn(email, "not the password")
      const unknown = yield* signIn(`nobody-${email}`, "not the password")
      expect(wrong.status).toBe(400)
      expect(wrong.body).toEqual(unknown.body)
    }))

  it("opens nothing with a password that is changed while it is verified", () =>
    Effect.gen(function* () {
      const { email, password, send } = yield* visitor
      const { hash, verify } = Bun.password
      const [hashing, signingIn, changed] = [0, 1, 2].map(() => Promise.withResolvers<void>())
      let changing = false
      yield* Effect.acquireRelease(
        Effect.sync(() => [
          spyOn(Bun.password, "hash").mockImplementation(async (...asked) => {
            changing = true
            hashing?.resolve()
            await signingIn?.promise
            return hash(...asked)
          }),
          spyOn(Bun.password, "verify").mockImplementation(async (...asked) => {
            if (changing) await changed?.promise
            return verify(...asked)
          })
        ]),
        (spies) => Effect.sync(() => spies.map((spy) => spy.mockRestore()))
      )
      const next = "another good password"
      const change = yield* Effect.fork(send("POST", "/account/password", { current: password, next }))
      yield* Effect.promise(async () => hashing?.promise)
      const late = yield* Effect.fork(signIn(email, password))
      yield* Effect.sleep("200 millis")
      signingIn?.resolve()
      expect((yield* Fiber.join(change)).status).toBe(200)
      changed?.resolve()
      const { status, headers } = yield* Fiber.join(late)
      expect([status, headers.getSetCookie()]).toEqual([400, []])
      expect((yield* send("GET", "/keys")).status).toBe(200)
    }))

  it("is refused after ten tries at one address, also with the right password, until the window is over", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { email, password } = yield* visitor
      for (let n = 0; n < 10; n++) expect((yield* signIn(email, "not the password")).status).toBe(400)
      const refused = yield* signIn(email, password)
      expect(refused.status).toBe(429)
      expect(refused.headers.get("retry-after")).toBe("60")
      expect(refused.body.detail.message).toBe("Too many attempts: at most 10 in 15 minutes. Try again in 15 minutes.")
      yield* sql`update attempts set opened_at = opened_at - interval '870 seconds'`
      expect((yield* signIn(email, password)).body.detail.message).toContain("Try again in 1 minute.")
      yield* sql`update attempts set opened_at = opened_at - interval '16 minutes'`
      expect((yield* signIn(email, password)).status).toBe(200)
    }))

  it("is not refused for tries that the database's clock, set back since, has yet to come to", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { email, password } = yield* visitor
      for (let n = 0; n < 10; n++) yield* signIn(email, "not the password")
      yield* sql`update attempts set opened_at = opened_at + interval '1 day'`
      expect((yield* signIn(email, password)).status).toBe(200)
    }))

  it("is refused after three hundred tries from one place, whatever the addresses", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { email, password, accountId } = yield* visitor
      expect((yield* signIn(email, password)).status).toBe(200)
      expect((yield* signIn(`${accountId}-1@example.com`, password)).status).toBe(400)
      yield* sql`update attempts set count = count + 297`
      expect((yield* signIn(`${accountId}-2@example.com`, password)).status).toBe(400)
      expect((yield* signIn(`${accountId}-3@example.com`, password)).status).toBe(429)
      expect((yield* signIn(email, password)).status).toBe(429)
      yield* sql`delete from attempts`
    }))

  it("never repeats a password in an answer", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const reply = yield* app.send("POST", "/console/api/account", {
        body: { email: "not an address", password: "secret" },
        headers: fromPage
      })
      expect(reply.status).toBe(422)
      expect(JSON.stringify(reply.body)).not.toContain("secret")
      expect(reply.body.detail.map(({ loc }: { loc: ReadonlyArray<string> }) => loc[1])).toEqual(["email", "password"])
    }))
})
