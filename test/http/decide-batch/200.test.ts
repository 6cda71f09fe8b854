import { expect } from "bun:test"
import { Effect } from "effect"
import { Limits } from "#schema/Limits"
import { TooLong } from "#src/inference/Protocol"
import { answeringWith } from "#test/support/answering"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"
import { http, trouble } from "#test/support/service"

http("POST /v1/decide/batch answers", (it) => {
  const batch = Effect.fn(function* (body: Record<string, unknown>, decisions = 1000) {
    const app = yield* TestApp
    const { key, accountId } = yield* app.customer({ decisions })
    const reply = yield* app.send("POST", "/v1/decide/batch", { key, body })
    const { balance, reserved } = yield* app.balance(accountId)
    expect(reserved).toBe(0)
    return { ...reply, left: balance / 15 }
  })

  it("each text in its place, billed on its own", () =>
    Effect.gen(function* () {
      const names = ["billing", "sales", "technical", "shipping"]
      const texts = Array.from({ length: 64 }, (_, i) => `${names[i % 4]} ${i}`)
      const { status, headers, body, left } = yield* batch({ texts, template: "routing" }, 65)
      expect(status).toBe(200)
      expect(body.results.map((item: { index: number; decision: string }) => [item.index, item.decision])).toEqual(
        texts.map((_, i) => [i, names[i % 4]])
      )
      const id = headers.get("x-request-id")
      expect(body.results[5]).toEqual({
        index: 5,
        status: 200,
        decision: "sales",
        confidence: expect.any(Number),
        probabilities: expect.any(Object),
        template: "routing",
        model: expect.stringMatching(/^svc-/),
        usage: { decisions: 1, input_tokens: expect.any(Number), cost_micros: 15, cost_usd: 0.000015 },
        latency_ms: expect.any(Number),
        request_id: id
      })
      expect(body.usage).toEqual({ decisions: 64, failed: 0, cost_micros: 960, cost_usd: 0.00096 })
      expect(body.request_id).toBe(id)
      expect(left).toBe(1)
    }))

  it("the others when some fail, which carry their status and are not billed", () =>
    Effect.gen(function* () {
      const texts = ["urgent", trouble.unavailable, "calm", trouble.overloaded]
      const { status, body, left } = yield* batch({ texts, type: "yes_no", question: "Is it urgent?" }, 10)
      expect(status).toBe(200)
      expect(body.results.map((item: { status: number }) => item.status)).toEqual([200, 503, 200, 529])
      expect(body.results[1]).toEqual({
        index: 1,
        status: 503,
        detail: { error_type: "api_error", message: "The service is briefly unavailable. Retry with backoff." }
      })
      expect(body.results[3].detail.error_type).toBe("overloaded_error")
      expect(body.usage).toEqual({ decisions: 2, failed: 2, cost_micros: 30, cost_usd: 0.00003 })
      expect(left).toBe(8)
    }))

  it("as many as the balance covers, from the first on", () =>
    Effect.gen(function* () {
      const { status, body, left } = yield* batch({ texts: ["a", "b", "c", "d"], template: "spam" }, 2)
      expect(status).toBe(200)
      expect(body.results.map((item: { status: number }) => item.status)).toEqual([200, 200, 402, 402])
      expect(body.results[2]).toEqual({
        index: 2,
        status: 402,
        detail: { error_type: "insufficient_credits", message: expect.stringContaining("credit balance") }
      })
      expect(body.usage).toMatchObject({ decisions: 2, failed: 2, cost_micros: 30 })
      expect(left).toBe(0)
    }))

  it("64 texts of 32,000 characters, also where each takes two UTF-16 units and twelve bytes of JSON", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const text = "\\ud83d\\ude00".repeat(Limits.text - 8)
      const texts = Array.from({ length: Limits.batch }, (_, i) => `"${text}urgent${String(i).padStart(2)}"`)
      const raw = `{"texts":[${texts.join(",")}],"type":"yes_no","question":"Is it urgent?"}`
      expect(raw.length).toBeGreaterThan(24_000_000)
      const { status, body } = yield* app.send("POST", "/v1/decide/batch", { key, raw })
      expect(status).toBe(200)
      expect(body.results.every((item: { decision: boolean }) => item.decision)).toBe(true)
    }))

  it("one text as well", () =>
    Effect.gen(function* () {
      const { body } = yield* batch({ texts: [""], template: "priority" })
      expect(body.results).toHaveLength(1)
    }))
})

/** Reads no state of more than 100 characters. */
const short = answeringWith((ask, plain) =>
  ask.state.length > 100 ? new TooLong({ message: "this model reads 100" }) : plain(ask)
)

withLayer(testApp({ inference: short }))("POST /v1/decide/batch to a model of a small window", (it) => {
  it("fails a text that is too long for it alone, unbilled", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 10 })
      const texts = ["urgent", "urgent ".repeat(60), "calm"]
      const { status, body } = yield* app.send("POST", "/v1/decide/batch", { key, body: { texts, template: "spam" } })
      expect(status).toBe(200)
      expect(body.results.map((item: { status: number }) => item.status)).toEqual([200, 422, 200])
      expect(body.results[1]).toEqual({
        index: 1,
        status: 422,
        detail: [{ loc: ["body", "texts", 1], msg: "Value error, this model reads 100", type: "value_error" }]
      })
      expect(body.usage).toEqual({ decisions: 2, failed: 1, cost_micros: 30, cost_usd: 0.00003 })
      expect(yield* app.balance(accountId)).toEqual({ balance: 8 * 15, reserved: 0 })
    }))
})
