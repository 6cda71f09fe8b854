import { describe, expect, test } from "bun:test"
import { InsufficientCredits, InvalidRequest, RateLimited, Unauthenticated, Unavailable } from "#schema/Errors"
import { dialectOf } from "#src/http/Dialect"

const invalid = InvalidRequest.at(["body"], "the Idempotency-Key of this request was used for another one")
const openAi = (status: number, type: string, param: string | null, code: string | null) => ({
  status,
  body: { error: { message: expect.any(String), type, param, code } }
})
const native = (status: number, errorType: string) => ({
  status,
  body: { detail: { error_type: errorType, message: expect.any(String) } }
})

describe("What is answered in an endpoint's place", () => {
  for (const [error, own, compatible] of [
    [Unauthenticated.missing(), native(401, "authentication_error"), openAi(401, "invalid_request_error", null, null)],
    [
      Unauthenticated.invalid(),
      native(401, "authentication_error"),
      openAi(401, "invalid_request_error", null, "invalid_api_key")
    ],
    [RateLimited.of(600, 7), native(429, "rate_limit_error"), openAi(429, "requests", null, "rate_limit_exceeded")],
    [
      InsufficientCredits.of(),
      native(402, "insufficient_credits"),
      openAi(429, "insufficient_quota", null, "insufficient_quota")
    ],
    [Unavailable.of(), native(503, "api_error"), openAi(503, "server_error", null, null)],
    [invalid, { status: 422, body: { detail: invalid.detail } }, openAi(400, "invalid_request_error", null, null)]
  ] as const)
    for (const [path, expected] of [
      ["/v1/decide", own],
      ["/v1/moderations", compatible]
    ] as const)
      test(`${error._tag} at ${path}`, async () => {
        const { status, body } = dialectOf(path).refused(error)
        const text = body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""
        expect({ status, body: JSON.parse(text) }).toEqual(expected)
      })
})
