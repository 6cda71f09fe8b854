import { expect } from "bun:test"
import { Effect } from "effect"
import { recording } from "#test/support/answering"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"
import { http } from "#test/support/service"

/** Of every template but `language`, in order. */
const options = {
  moderation: ["safe", "harassment", "hate", "sexual", "violence", "self_harm", "illicit"],
  spam: ["yes", "no"],
  support_intent: [
    "refund",
    "cancellation",
    "technical_issue",
    "billing_question",
    "order_status",
    "account_access",
    "product_question",
    "complaint",
    "feedback",
    "other"
  ],
  routing: ["billing", "technical", "sales", "account", "shipping", "security", "other"],
  sentiment: ["negative", "neutral", "positive"],
  priority: ["low", "normal", "high", "urgent"],
  prompt_injection: ["yes", "no"],
  pii: ["yes", "no"]
}

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
    }))

  it("offers the options of each, in their order", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const { body } = yield* app.send("GET", "/v1/templates", { key })
      const { language, ...listed } = Object.fromEntries(
        body.templates.map((entry: { template: string; options: ReadonlyArray<string> }) => [
          entry.template,
          entry.options
        ])
      )
      expect(listed).toEqual(options)
      expect(language.length).toBeGreaterThanOrEqual(60)
      expect(new Set(language).size).toBe(language.length)
      for (const code of language) expect(code).toMatch(/^[a-z]{2}$/)
      for (const code of ["en", "de", "es", "fr", "ar", "zh", "hi", "ja", "ru", "pt"]) expect(language).toContain(code)
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

const { asked, inference } = recording()

withLayer(testApp({ inference }))("A template", (it) => {
  it("has a line on each of its options that the model reads", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const { templates } = (yield* app.send("GET", "/v1/templates", { key })).body
      for (const { template, example } of templates)
        yield* app.send("POST", "/v1/decide", { key, body: { template, text: example } })
      const read = asked.flatMap(({ questions }) => questions)
      expect(read.length).toBeGreaterThanOrEqual(8)
      for (const { options } of read)
        for (const option of options) expect(option).toEqual({ name: option.name, description: expect.any(String) })
    }))
})
