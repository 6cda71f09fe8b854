import { expect } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { makeSecret } from "#src/keys/Secret"
import { TestApp, testApp } from "#test/support/app"
import { dial } from "#test/support/dial"
import { withLayer } from "#test/support/effect"

/** Status of the answer to a request of which only the head has come, and the first bytes of its body. */
const answered = (path: string, ...headers: ReadonlyArray<string>) =>
  Effect.flatMap(TestApp, ({ base }) =>
    Effect.promise(async () => {
      const head = [`POST ${path} HTTP/1.1`, "Host: h", ...headers, "Content-Length: 9999"].join("\r\n")
      const { answered, socket } = await dial(base, `${head}\r\n\r\n{"te`)
      const [, status] = /^HTTP\/1\.1 (\d+) /.exec(await answered) ?? []
      socket.destroy()
      return Number(status)
    })
  )

const away = (table: string) =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.acquireRelease(sql`alter table ${sql(table)} rename to elsewhere`, () =>
      Effect.orDie(sql`alter table elsewhere rename to ${sql(table)}`)
    )
  )

const page = ["X-Console: 1", "Sec-Fetch-Site: same-origin"]

// Who waits for the body, which never comes, does not answer while the tests run.
withLayer(testApp({ settings: { bodySeconds: 600, drainSeconds: 0 } }))(
  "The body of a stranger is not waited for",
  (it) => {
    for (const [who, path, table, headers] of [
      ["whose key nobody has", "/v1/decide", "keys", [`Authorization: Bearer ${makeSecret()}`]],
      ["whose key nobody has, at the moderation", "/v1/moderations", "keys", [`Authorization: Bearer ${makeSecret()}`]],
      ["whose session nobody has", "/console/api/keys", "sessions", [...page, "Cookie: console_session=none"]]
    ] as const) {
      it(`${who}: 401`, () =>
        Effect.gen(function* () {
          expect(yield* answered(path, ...headers)).toBe(401)
        }))

      it(`${who}, nor where the database cannot tell: 503`, () =>
        Effect.gen(function* () {
          yield* away(table)
          expect(yield* answered(path, ...headers)).toBe(503)
        }))
    }
  }
)
