import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

http("Flows without a key", (it) => {
  for (const [method, path] of [
    ["GET", "/v1/flows"],
    ["GET", "/v1/flows/front-door"],
    ["POST", "/v1/flows/front-door/run"]
  ] as const)
    it(`are refused: ${method} ${path}`, () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const body = method === "POST" ? { body: { text: 1 } } : {}
        const missing = yield* app.send(method, path, body)
        expect(missing.status).toBe(401)
        expect(missing.body.detail).toMatchObject({
          error_type: "authentication_error",
          message: expect.stringContaining("Missing")
        })
        const unknown = yield* app.send(method, path, { ...body, key: "svc_nothing" })
        expect(unknown.status).toBe(401)
        expect(unknown.body.detail.message).toContain("Invalid or revoked")
      }))
})
