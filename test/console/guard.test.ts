import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"
import { fromPage, visitor } from "./visitor.ts"

http("A request that changes something", (it) => {
  const from = Effect.fn(function* (headers: Record<string, string>) {
    const app = yield* TestApp
    const { cookie } = yield* visitor
    return yield* app.send("POST", "/console/api/keys", {
      body: { name: "k" },
      headers: { ...headers, cookie: cookie() }
    })
  })

  it("is let in from a page of ours", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      expect((yield* from(fromPage)).status).toBe(200)
      expect((yield* from({ "x-console": "1", origin: app.base })).status).toBe(200)
    }))

  for (const [title, headers] of [
    ["another site", { "x-console": "1", "sec-fetch-site": "cross-site" }],
    ["a neighbouring site", { "x-console": "1", "sec-fetch-site": "same-site" }],
    ["another origin, where the browser does not say more", { "x-console": "1", origin: "https://evil.example" }],
    ["a form, which cannot send our header", { "sec-fetch-site": "same-origin" }],
    ["nowhere", { "x-console": "1" }]
  ] as const)
    it(`is refused from ${title}`, () =>
      Effect.gen(function* () {
        const reply = yield* from({ ...headers })
        expect(reply.status).toBe(403)
        expect(reply.body.detail.error_type).toBe("origin_error")
      }))

  it("needs a session as well", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      expect((yield* app.send("POST", "/console/api/keys", { body: { name: "k" }, headers: fromPage })).status).toBe(
        401
      )
    }))

  it("is answered to one reader alone", () =>
    Effect.gen(function* () {
      expect((yield* from(fromPage)).headers.get("cache-control")).toBe("no-store")
    }))
})
