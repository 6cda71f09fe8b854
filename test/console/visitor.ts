import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { randomId } from "#src/database/id"
import { type Reply, TestApp } from "#test/support/app"

/** What a browser sends along with a request that a page of the console makes. */
export const fromPage = { "x-console": "1", "sec-fetch-site": "same-origin" }

/** Who may grant credit, where the settings say so. */
export const operator = { email: "operator@example.com", password: "correct horse battery" }

const cookieOf = ({ headers }: Reply) => headers.getSetCookie()[0]?.split(";")[0] ?? ""

/** Somebody in front of the console, with an account of their own; the cookie is kept like a browser does. */
export const visitor = Effect.gen(function* () {
  const app = yield* TestApp
  const sql = yield* SqlClient
  // More people sign up here in a quarter of an hour than one address may.
  yield* Effect.orDie(sql`delete from attempts`)
  const email = `${randomId().toLowerCase()}@example.com`
  const password = "correct horse battery"
  const signedUp = yield* app.send("POST", "/console/api/account", { body: { email, password }, headers: fromPage })
  let cookie = cookieOf(signedUp)
  const send = (method: string, path: string, body?: unknown) =>
    app
      .send(method, `/console/api${path}`, {
        ...(body === undefined ? {} : { body }),
        headers: { ...fromPage, cookie }
      })
      .pipe(
        Effect.tap((reply) =>
          Effect.sync(() => {
            if (reply.headers.getSetCookie().length > 0) cookie = cookieOf(reply)
          })
        )
      )
  return { email, password, accountId: String(signedUp.body.account.id), send, cookie: () => cookie, signedUp }
})
