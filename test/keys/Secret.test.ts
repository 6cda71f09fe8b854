import { describe, expect, test } from "bun:test"
import { createHmac } from "node:crypto"
import { crc32 } from "node:zlib"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { isSecret, makeSecret } from "#src/keys/Secret"
import { visitor } from "#test/console/visitor"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const valueOf = (written: string) => [...written].reduce((value, digit) => value * 62 + digits.indexOf(digit), 0)

describe("API keys", () => {
  test("are svc_, 30 random digits of base 62 and 6 of the CRC32 over them", () => {
    const secrets = Array.from({ length: 1_000 }, makeSecret)
    expect(new Set(secrets).size).toBe(1_000)
    for (const secret of secrets) {
      const [, body = "", sum = ""] = /^svc_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(secret) ?? []
      expect([secret, valueOf(sum)]).toEqual([secret, crc32(body)])
      expect([secret, isSecret(secret)]).toEqual([secret, true])
    }
    const used = new Set(secrets.flatMap((secret) => [...secret.slice(4, 34)]))
    expect([...used].sort()).toEqual([...digits].sort())
  })

  test("are none with a single character wrong, missing or too many, wherever", () => {
    const secret = makeSecret()
    const typos = Array.from(secret, (right, at) => {
      const with_ = (other: string) => secret.slice(0, at) + other + secret.slice(at + 1)
      return [...digits, "_", "-", " ", "é"]
        .filter((other) => other !== right)
        .map(with_)
        .concat(with_(""), with_(`${right}0`))
    }).flat()
    expect(typos.length).toBeGreaterThan(40 * 60)
    expect(typos.filter(isSecret)).toEqual([])
    expect([`${secret}\n`, ` ${secret}`, secret.slice(4), secret.toUpperCase(), ""].filter(isSecret)).toEqual([])
  })
})

withLayer(testApp())("A key", (it) => {
  const typo = (key: string) => `${key.slice(0, 10)}${key.charAt(10) === "0" ? "1" : "0"}${key.slice(11)}`

  it("is kept as its HMAC under the pepper, and in clear nowhere in the database", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const sql = yield* SqlClient
      const somebody = yield* visitor
      const made = (yield* somebody.send("POST", "/keys", { name: "production" })).body
      const { key, keyId } = yield* app.customer()
      for (const secret of [key, made.secret]) {
        const body = { text: "x", template: "spam" }
        yield* app.send("POST", "/v1/decide", { key: secret, body, headers: { "idempotency-key": "kept" } })
        yield* app.send("POST", "/v1/decide", { key: typo(secret), body })
      }
      for (const [id, secret] of [
        [keyId, key],
        [made.id, made.secret]
      ]) {
        const hash = createHmac("sha256", "pepper of the tests").update(secret).digest("hex")
        const rows = yield* sql`select encode(hash, 'hex') as hash, last_four from keys where id = ${id}`
        expect(rows).toEqual([{ hash, last_four: secret.slice(-4) }])
      }

      const tables = yield* sql`select table_name as name from information_schema.tables where table_schema = 'public'`
      expect(tables.map(({ name }) => name)).toContain("answers")
      for (const { name } of tables) {
        const rows = yield* sql`select row_to_json(t)::text as row from ${sql(String(name))} t`
        for (const secret of [key, made.secret].flatMap((secret) => [secret, secret.slice(4, 34)]))
          for (const form of [secret, Buffer.from(secret).toString("hex"), Buffer.from(secret).toString("base64")])
            expect({ name, rows: rows.filter(({ row }) => String(row).includes(form)) }).toEqual({ name, rows: [] })
      }
    }))

  it("with a typo is refused without a look-up: the database may be away", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const sql = yield* SqlClient
      const { key } = yield* app.customer()
      const status = (secret: string) =>
        Effect.map(app.send("GET", "/v1/templates", { key: secret }), ({ status }) => status)
      yield* sql`alter table keys rename to elsewhere`
      const away = [yield* status(typo(key)), yield* status(key)]
      yield* sql`alter table elsewhere rename to keys`
      expect(away).toEqual([401, 503])
      expect(yield* status(key)).toBe(200)
    }))
})
