import { expect } from "bun:test"
import { Effect } from "effect"
import { Flows } from "#src/flows/Flows"
import type { Based } from "#src/flows/FlowsRepo"
import { content, definition, published } from "#test/flows/scene"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const summary = {
  flow: "front-door",
  name: "Front door",
  description: "Who takes it",
  version: 1,
  questions: 3,
  outcomes: ["act now", "billing", "sales", "a person decides"],
  updated_at: isoTime
}

http("The flows of an account", (it) => {
  const scene = Effect.gen(function* () {
    const app = yield* TestApp
    const customer = yield* app.customer({ decisions: 10 })
    yield* published(customer.accountId, "front-door")
    return { app, ...customer }
  })

  it("are listed by name, without definitions, for nothing", () =>
    Effect.gen(function* () {
      const { app, key, accountId } = yield* scene
      yield* published(accountId, "another", { ...content, name: "Another" })
      const { status, body } = yield* app.send("GET", "/v1/flows", { key })
      expect(status).toBe(200)
      expect(body).toEqual({ flows: [{ ...summary, flow: "another", name: "Another" }, summary] })
      expect(yield* app.balance(accountId)).toEqual({ balance: 150, reserved: 0 })
    }))

  it("are none where there are none", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      expect((yield* app.send("GET", "/v1/flows", { key })).body).toEqual({ flows: [] })
    }))

  it("are read one by one with the definition as it was drawn", () =>
    Effect.gen(function* () {
      const { app, key, accountId } = yield* scene
      const { status, body } = yield* app.send("GET", "/v1/flows/front-door", { key })
      expect(status).toBe(200)
      expect(body).toEqual({ ...summary, definition })
      expect(JSON.stringify(body.definition)).toBe(JSON.stringify(definition))
      expect(yield* app.balance(accountId)).toEqual({ balance: 150, reserved: 0 })
    }))
})

http("POST /v1/flows/{slug}/run", (it) => {
  const run = Effect.fn(function* (body: unknown) {
    const app = yield* TestApp
    const { key, accountId } = yield* app.customer({ decisions: 10 })
    yield* published(accountId, "front-door")
    const reply = yield* app.send("POST", "/v1/flows/front-door/run", { key, body })
    return { ...reply, left: yield* app.balance(accountId) }
  })

  it("asks what is on the path, tells each step, and bills that alone", () =>
    Effect.gen(function* () {
      const { status, headers, body, left } = yield* run({ text: "sales, a large order" })
      expect(status).toBe(200)
      expect(body).toEqual({
        flow: "front-door",
        version: 1,
        outcome: "sales",
        ended_at: "large",
        steps: [
          {
            step: "hurry",
            label: "Hurry?",
            answer: "no",
            probability: 0.9,
            confidence: 0.8,
            followed: "hurry-no",
            probabilities: { yes: 0.1, no: 0.9 }
          },
          {
            step: "team",
            label: "Team?",
            answer: "sales",
            probability: 0.9,
            confidence: 0.8,
            followed: "team-else",
            probabilities: { billing: 0.1, sales: 0.9 }
          },
          {
            step: "size",
            label: "Size?",
            answer: "large",
            probability: 0.9,
            confidence: 0.8,
            followed: "size-large",
            probabilities: { small: 0.1, large: 0.9 }
          }
        ],
        usage: { decisions: 3, cost_micros: 45, cost_usd: 0.000045 },
        latency_ms: expect.any(Number),
        request_id: headers.get("x-request-id")
      })
      expect(Number.isInteger(body.latency_ms)).toBe(true)
      expect(left).toEqual({ balance: 150 - 45, reserved: 0 })
    }))

  for (const [text, ended, outcome, decisions] of [
    ["urgent", "now", "act now", 1],
    ["about billing", "billing", "billing", 2],
    ["neither of them", "unsure", "a person decides", 2],
    ["sales, small", "small", "sales", 3]
  ] as const)
    it(`ends at '${ended}' after ${decisions}`, () =>
      Effect.gen(function* () {
        const { body, left } = yield* run({ text, lang: "en" })
        expect(body).toMatchObject({ ended_at: ended, outcome, usage: { decisions, cost_micros: decisions * 15 } })
        expect(body.steps).toHaveLength(decisions)
        expect(left).toEqual({ balance: 150 - decisions * 15, reserved: 0 })
      }))

  it("takes an empty text, a null language and unknown fields", () =>
    Effect.gen(function* () {
      expect((yield* run({ text: "", lang: null, colour: "blue" })).status).toBe(200)
    }))

  it("sent again under its Idempotency-Key gets the stored run, unbilled", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 10 })
      yield* published(accountId, "front-door")
      const attempt = app.send("POST", "/v1/flows/front-door/run", {
        key,
        body: { text: "sales" },
        headers: { "idempotency-key": "run 1" }
      })
      const first = yield* attempt
      expect((yield* attempt).body).toEqual(first.body)
      expect(yield* app.balance(accountId)).toEqual({ balance: 150 - 45, reserved: 0 })
    }))

  for (const [changed, change] of [
    ["unpublished", (flows: typeof Flows.Service, flow: Based) => flows.unpublish(flow)],
    ["renamed", (flows: typeof Flows.Service, flow: Based) => flows.rename(flow, "back-door")],
    ["deleted", (flows: typeof Flows.Service, flow: Based) => flows.remove(flow)]
  ] as const)
    it(`sent again under its Idempotency-Key gets the stored run though the flow was ${changed} since`, () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const { key, accountId } = yield* app.customer({ decisions: 10 })
        const flow = yield* published(accountId, "front-door")
        const run = (headers: Record<string, string>) =>
          app.send("POST", "/v1/flows/front-door/run", { key, body: { text: "sales" }, headers })
        const first = yield* run({ "idempotency-key": "run 2" })
        yield* change(yield* Flows, flow)
        const again = yield* run({ "idempotency-key": "run 2" })
        expect([again.status, again.body]).toEqual([200, first.body])
        expect((yield* run({ "idempotency-key": "run 3" })).status).toBe(404)
        expect(yield* app.balance(accountId)).toEqual({ balance: 150 - 45, reserved: 0 })
      }))

  it("many at once never spends what is not there", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 30 })
      yield* published(accountId, "front-door")
      const replies = yield* Effect.all(
        Array.from({ length: 40 }, () =>
          app.send("POST", "/v1/flows/front-door/run", { key, body: { text: "about billing" } })
        ),
        { concurrency: "unbounded" }
      )
      const paid = replies.filter(({ status }) => status === 200).length
      expect(replies.filter(({ status }) => status === 402)).toHaveLength(40 - paid)
      expect(paid).toBeGreaterThanOrEqual(10)
      expect(paid).toBeLessThanOrEqual(15)
      expect(yield* app.balance(accountId)).toEqual({ balance: (30 - 2 * paid) * 15, reserved: 0 })
    }))
})
