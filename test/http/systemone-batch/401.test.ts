import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

http("POST /v1/systemone/batch without a valid key is 401, whatever the body", (it) => {
  for (const [authorization, message] of [
    [undefined, /^Missing API key/],
    ["Basic eDp5", /^Missing API key/],
    ["Bearer svc_unknown", /^Invalid or revoked API key/]
  ] as const)
    for (const raw of [
      '{"requests":[{"state":"a","model":"svc-auto","questions":{"q":{"type":"noul"},"r":{"type":"noul"}}}]}',
      "{"
    ])
      it(`${authorization ?? "no header"}, body ${raw.slice(0, 20)}`, () =>
        Effect.gen(function* () {
          const app = yield* TestApp
          const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
          const { status, body } = yield* app.send("POST", "/v1/systemone/batch", { raw, headers })
          expect(status).toBe(401)
          expect(body).toEqual({
            detail: { error_type: "authentication_error", message: expect.stringMatching(message) }
          })
        }))
})
