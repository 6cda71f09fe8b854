import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

http("GET /v1/models", (it) => {
  it("lists the built-in models with every field, for free", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer({ decisions: 0 })
      const { status, body } = yield* app.send("GET", "/v1/models", { key })
      expect(status).toBe(200)
      expect(body.models.map(({ name }: { name: string }) => name)).toEqual([
        "svc-auto",
        "svc-english",
        "svc-multilingual"
      ])
      for (const model of body.models)
        expect(model).toEqual({
          name: expect.any(String),
          description: expect.any(String),
          release_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
          custom: false,
          private: false
        })
    }))
})
