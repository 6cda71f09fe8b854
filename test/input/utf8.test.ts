import { expect } from "bun:test"
import { Effect } from "effect"
import { published } from "#test/flows/scene"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"
import { sound } from "./hostile.ts"

/** What is no UTF-8: a byte that never occurs, a letter that is not ended, half a surrogate pair, a letter cut off, one longer than need be. */
const broken = {
  ff: [0xff],
  "c3 28": [0xc3, 0x28],
  "ed a0 80": [0xed, 0xa0, 0x80],
  "f0 9f 98": [0xf0, 0x9f, 0x98],
  "c0 af": [0xc0, 0xaf]
}

/** The body as bytes, with some in place of each `HERE`. */
const written = (body: string, here: ReadonlyArray<number>) =>
  new Uint8Array(body.split("HERE").flatMap((part, i) => [...(i === 0 ? [] : here), ...new TextEncoder().encode(part)]))

const bodies: Readonly<Record<string, string>> = {
  "/v1/decide": '{"text":"aHERE","template":"spam"}',
  "/v1/decide/batch": '{"texts":["fine","aHERE"],"template":"spam"}',
  "/v1/systemone": '{"state":{"a":"HERE"},"model":"svc-auto","questions":{"q":{"type":"noul"}}}',
  "/v1/systemone/batch": '{"requests":[{"state":"HERE","model":"svc-auto","questions":{"q":{"type":"noul"}}}]}',
  "/v1/flows/hostile/run": '{"text":"urgentHERE"}',
  "/v1/moderations": '{"input":["tea","HEREtea"]}'
}

/** The same body with the bytes in a key that nobody reads. */
const inKey = (body: string) => body.replaceAll("HERE", "").replace("{", '{"keyHERE":1,')

http("A string that is no UTF-8 is no JSON, wherever it stands", (it) => {
  it("at every endpoint that takes a body", () =>
    Effect.sync(() => expect(Object.keys(bodies)).toEqual(Object.keys(sound))))

  for (const [path, body] of Object.entries(bodies))
    it(path, () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const { key, accountId } = yield* app.customer({ decisions: 40 })
        yield* published(accountId, "hostile")
        for (const [place, raw] of [
          ["in a text", body],
          ["in a key", inKey(body)]
        ] as const) {
          for (const [name, bytes] of Object.entries(broken)) {
            const reply = yield* app.send("POST", path, { key, raw: written(raw, bytes) })
            const refused =
              path === "/v1/moderations"
                ? [400, { error: expect.objectContaining({ type: "invalid_request_error", param: null, code: null }) }]
                : [422, { detail: [{ loc: ["body"], msg: "JSON decode error", type: "json_invalid" }] }]
            expect([place, name, reply.status, reply.body]).toEqual([place, name, ...refused])
          }
        }
        expect(yield* app.balance(accountId)).toEqual({ balance: 40 * 15, reserved: 0 })
        for (const raw of [body, inKey(body)])
          expect((yield* app.send("POST", path, { key, raw: written(raw, [0xf0, 0x9f, 0x98, 0x80]) })).status).toBe(200)
      })
    )
})
