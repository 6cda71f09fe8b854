import { expect } from "bun:test"
import { Effect, Record } from "effect"
import type { Moderation } from "#schema/Moderation"
import { Models } from "#src/models/Models"
import { categories } from "#src/moderation/Categories"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

const all = [
  "harassment",
  "harassment/threatening",
  "hate",
  "hate/threatening",
  "illicit",
  "illicit/violent",
  "self-harm",
  "self-harm/instructions",
  "self-harm/intent",
  "sexual",
  "sexual/minors",
  "violence",
  "violence/graphic"
]

http("POST /v1/moderations answers", (it) => {
  const moderate = Effect.fn(function* (body: unknown, decisions = 1000) {
    const app = yield* TestApp
    const customer = yield* app.customer({ decisions })
    const reply = yield* app.send("POST", "/v1/moderations", { key: customer.key, body })
    return { ...reply, left: (yield* app.balance(customer.accountId)).balance / 15 }
  })

  it("one result for a string, with 13 categories, and charges 8 decisions", () =>
    Effect.gen(function* () {
      const { status, headers, body, left } = yield* moderate({ input: "Have a nice day" }, 8)
      expect(status).toBe(200)
      const id = headers.get("x-request-id") ?? ""
      expect(body.id).toBe(id.replace("req_", "modr-"))
      expect(body.model).toBe("omni-moderation-latest")
      expect(body.results).toHaveLength(1)
      const [result] = body.results
      expect(Object.keys(result).sort()).toEqual([
        "categories",
        "category_applied_input_types",
        "category_scores",
        "flagged"
      ])
      for (const part of ["categories", "category_scores", "category_applied_input_types"])
        expect(Object.keys(result[part]).sort()).toEqual(all)
      expect(result.flagged).toBe(false)
      expect(left).toBe(0)
    }))

  it("flags the categories whose score passes the model's threshold, and no other", () =>
    Effect.gen(function* () {
      const { all } = yield* Models
      const thresholds = (model: string) => {
        const fitted = all.find(({ manifest }) => manifest.name === model)?.manifest.moderation
        return Record.map(categories, ({ threshold }, category) => fitted?.[category]?.threshold ?? threshold)
      }
      const { body } = yield* moderate({ input: ["wrongdoing", "arouse", "tea"] })
      for (const { flagged, categories: passed, category_scores: scores } of body.results) {
        const expected = ["svc-english", "svc-multilingual"].map((model) =>
          Record.map(thresholds(model), (threshold, category) => scores[category] >= threshold)
        )
        expect(expected).toContainEqual(passed)
        expect(flagged).toBe(Object.values(passed).includes(true))
      }
      const [illicit, sexual, tea] = body.results
      expect([illicit.category_scores.illicit, illicit.category_scores.sexual]).toEqual([0.9, 0.1])
      expect([sexual.category_scores.illicit, sexual.category_scores.sexual]).toEqual([0.1, 0.9])
      expect(tea.flagged).toBe(false)
      expect(tea.category_applied_input_types.illicit).toEqual(["text"])
    }))

  it("sexual/minors from what is sexualised and who is spoken of", () =>
    Effect.gen(function* () {
      const { body } = yield* moderate({ input: ["sexualised", "teenagers", "sexualised teenagers"] })
      expect(body.results.map((result: Moderation) => result.category_scores["sexual/minors"])).toEqual([
        0.09, 0.09, 0.81
      ])
    }))

  it("one result for each string of a list, in its order, 8 decisions each", () =>
    Effect.gen(function* () {
      const input = Array.from({ length: 32 }, (_, i) => (i % 3 === 0 ? `wrongdoing ${i}` : `tea ${i}`))
      const { status, body, left } = yield* moderate({ input }, 32 * 8 + 3)
      expect(status).toBe(200)
      expect(body.results.map((result: Moderation) => result.categories.illicit)).toEqual(
        input.map((_, i) => i % 3 === 0)
      )
      expect(left).toBe(3)
    }))

  it("one result for all parts of a list of parts, 8 decisions in all", () =>
    Effect.gen(function* () {
      const input = [
        { type: "text", text: "wrongdoing" },
        { type: "text", text: "arouse" }
      ]
      const { body, left } = yield* moderate({ input }, 10)
      expect(body.results).toHaveLength(1)
      expect(body.results[0].category_scores).toMatchObject({ illicit: 0.9, sexual: 0.9, violence: 0.1 })
      expect(left).toBe(2)
    }))

  it("to every name of a model, which it repeats, and to null as to none", () =>
    Effect.gen(function* () {
      for (const model of [
        "omni-moderation-latest",
        "omni-moderation-2024-09-26",
        "text-moderation-latest",
        "text-moderation-stable",
        "text-moderation-007"
      ]) {
        const { status, body } = yield* moderate({ input: "", model })
        expect([status, body.model]).toEqual([200, model])
      }
      expect((yield* moderate({ input: "", model: null })).body.model).toBe("omni-moderation-latest")
    }))

  it("a retry of the OpenAI clients with the stored answer, charged once", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 16 })
      const attempt = (count: string) =>
        app.send("POST", "/v1/moderations", {
          key,
          body: { input: "x" },
          headers: { "x-stainless-retry-count": count }
        })
      const first = yield* attempt("0")
      const second = yield* attempt("1")
      expect(second.body).toEqual(first.body)
      expect(second.headers.get("x-request-id")).toBe(first.headers.get("x-request-id"))
      expect((yield* app.balance(accountId)).balance).toBe(8 * 15)
    }))
})
