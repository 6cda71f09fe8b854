import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

const missing = "Missing API key. Send it in the `Authorization` header: `Authorization: Bearer <API_KEY>`."
const invalid = "Invalid or revoked API key. Check the key or create a new one."

http("POST /v1/moderations without a valid key is 401 in OpenAI's form", (it) => {
  for (const [name, authorization, code, message] of [
    ["no header", undefined, null, missing],
    ["another scheme", "Basic dXNlcjpwYXNz", null, missing],
    ["no key after the scheme", "Bearer ", null, missing],
    ["a key of another service", "Bearer sk-proj-1234567890", "invalid_api_key", invalid],
    ["a key that was never made", "Bearer svc_0000000000000000000000000000000000AA", "invalid_api_key", invalid]
  ] as const) {
    for (const raw of ['{"input": "x"}', "{", "[]"])
      it(`${name}, body ${raw}`, () =>
        Effect.gen(function* () {
          const app = yield* TestApp
          const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
          const { status, body } = yield* app.send("POST", "/v1/moderations", { raw, headers })
          expect(status).toBe(401)
          expect(body).toEqual({ error: { message, type: "invalid_request_error", param: null, code } })
        }))
  }
})
