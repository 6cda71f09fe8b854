import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

http("GET /v1/templates", (it) => {
  it("lists all nine, with their options and an example, for free", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer({ decisions: 0 })
      const { status, body } = yield* app.send("GET", "/v1/templates", { key })
      expect(status).toBe(200)
      const types = Object.fromEntries(
        body.templates.map((entry: { template: string; type: string }) => [entry.template, entry.type])
      )
      expect(types).toEqual({
        moderation: "choice",
        spam: "yes_no",
        support_intent: "choice",
        routing: "choice",
        sentiment: "choice",
        priority: "score",
        prompt_injection: "yes_no",
        pii: "yes_no",
        language: "choice"
      })
      for (const entry of body.templates) {
        expect(Object.keys(entry).sort()).toEqual(["description", "example", "name", "options", "template", "type"])
        expect(entry.options.length).toBeGreaterThan(1)
        expect(entry.example.length).toBeGreaterThan(10)
      }
      const optionsOf = (name: string) =>
        body.templates.find((entry: { template: string }) => entry.template === name).options
      expect(optionsOf("spam")).toEqual(["yes", "no"])
      expect(optionsOf("priority")).toEqual(["low", "normal", "high", "urgent"])
      expect(optionsOf("language").length).toBeGreaterThanOrEqual(60)
    }))

  it("answers the example of every template", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const { body } = yield* app.send("GET", "/v1/templates", { key })
      for (const { template, example, type, options } of body.templates) {
        const reply = yield* app.send("POST", "/v1/decide", { key, body: { template, text: example } })
        expect(reply.status).toBe(200)
        expect(type === "yes_no" ? [true, false] : options).toContain(reply.body.decision)
      }
    }))
})
