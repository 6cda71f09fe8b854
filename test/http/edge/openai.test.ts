import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

const error = (message: string, code: string) => ({
  error: { message, type: "invalid_request_error", param: null, code }
})

http("The edge speaks OpenAI's dialect where OpenAI's clients call", (it) => {
  it("to a wrong method", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { status, headers, body } = yield* app.send("GET", "/v1/moderations")
      expect([status, headers.get("allow")]).toEqual([405, "POST"])
      expect(body).toEqual(error("This path takes POST.", "method_not_allowed"))
    }))

  it("however the path is written", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      for (const path of ["/V1/moderations", "//v1/moderations/", "/v1//Moderations"]) {
        const { status, body } = yield* app.send("POST", path, { body: { input: "x" } })
        expect([path, status, body.error?.type]).toEqual([path, 401, "invalid_request_error"])
        const { body: wrong } = yield* app.send("GET", path)
        expect(wrong).toEqual(error("This path takes POST.", "method_not_allowed"))
      }
    }))

  it("to an unknown path below", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { status, body } = yield* app.send("GET", "/v1/moderations/modr-1")
      expect(status).toBe(404)
      expect(body).toEqual(error("There is nothing at this path. See /docs for the interface.", "not_found"))
    }))

  it("to a body that is too large", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const raw = new Uint8Array(33 * 1024 * 1024).fill(0x20)
      const { status, body } = yield* app.send("POST", "/v1/moderations", { key, raw })
      expect(status).toBe(413)
      expect(body).toEqual(error("The request body may have at most 33554432 bytes.", "request_too_large"))
    }))

  it("and its own next door", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { status, body } = yield* app.send("GET", "/v1/moderationsx")
      expect([status, body.detail.error_type]).toEqual([404, "not_found"])
    }))
})
