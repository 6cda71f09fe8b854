import { expect } from "bun:test"
import { FetchHttpClient, HttpApiClient, HttpApiError, HttpClient, HttpClientRequest } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "#schema/Api"
import {
  FlowNotFound,
  InsufficientCredits,
  Overloaded,
  RateLimited,
  Unauthenticated,
  Unavailable
} from "#schema/Errors"
import { OpenAiApi } from "#schema/OpenAiApi"
import { TestApp } from "#test/support/app"
import { http, trouble } from "#test/support/service"

/** The call fails with this error, class and message. */
const fails = Effect.fn(function* <A, E, R>(call: Effect.Effect<A, E, R>, expected: Error) {
  const error = yield* Effect.flip(call)
  expect(error).toBeInstanceOf(expected.constructor)
  expect(error).toMatchObject({ message: expected.message })
})

http("The client derived from the schemas", (it) => {
  const connect = Effect.fn(function* (key: string) {
    const { base } = yield* TestApp
    const options = { baseUrl: base, transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(key)) }
    return {
      native: yield* HttpApiClient.make(Api, options),
      openAi: yield* HttpApiClient.make(OpenAiApi, options)
    }
  }, Effect.provide(FetchHttpClient.layer))

  const scene = Effect.fn(function* (options: Parameters<(typeof TestApp)["Service"]["customer"]>[0] = {}) {
    const app = yield* TestApp
    const customer = yield* app.customer(options)
    return { app, customer, ...(yield* connect(customer.key)) }
  })

  it("decides", () =>
    Effect.gen(function* () {
      const { native } = yield* scene()
      const one = yield* native.decisions.decide({
        payload: {
          text: "I want my refund",
          type: "choice",
          question: "What is it about?",
          options: [
            { name: "refund", description: "money back" },
            { name: "other", description: null }
          ]
        }
      })
      expect(one).toMatchObject({ decision: "refund", probabilities: { refund: 0.9, other: 0.1 } })
      const many = yield* native.decisions.decideBatch({
        payload: { texts: ["billing", "sales"], template: "routing" }
      })
      expect(many.results.map((item) => ("decision" in item ? item.decision : item.detail))).toEqual([
        "billing",
        "sales"
      ])
    }))

  it("asks question sets", () =>
    Effect.gen(function* () {
      const { native } = yield* scene()
      const payload = {
        state: { subject: "urgent" },
        model: "svc-auto",
        questions: [["a", { type: "noul", instructions: "Is it urgent?" }]] as const
      }
      const one = yield* native.questionSets.systemOne({ payload })
      expect(one.answers).toEqual({ a: { type: "noul", noul: 0.9, confidence: 0.8 } })
      const many = yield* native.questionSets.systemOneBatch({ payload: { requests: [payload, payload] } })
      expect(many.responses.map(({ index, status }) => [index, status])).toEqual([
        [0, 200],
        [1, 200]
      ])
    }))

  it("lists templates, models, flows and usage", () =>
    Effect.gen(function* () {
      const { native } = yield* scene({ decisions: 3 })
      expect((yield* native.templates.listTemplates()).templates).toHaveLength(9)
      expect((yield* native.models.listModels()).models.map(({ name }) => name)).toContain("svc-english")
      expect((yield* native.flows.listFlows()).flows).toEqual([])
      const usage = yield* native.usage.getUsage({ urlParams: { days: 2 } })
      expect(usage.balance.decisions_left).toBe(3)
      expect(usage.daily).toHaveLength(2)
    }))

  it("moderates", () =>
    Effect.gen(function* () {
      const { openAi } = yield* scene()
      const { results } = yield* openAi.moderations.moderate({ payload: { input: ["wrongdoing", "tea"] } })
      expect(results.map(({ category_scores }) => category_scores.illicit)).toEqual([0.9, 0.1])
    }))

  it("gets the service's failures back as they were", () =>
    Effect.gen(function* () {
      const { native, openAi } = yield* scene({ decisions: 1 })
      const decide = (text: string) => native.decisions.decide({ payload: { text, template: "spam" } })
      yield* fails(decide(trouble.unavailable), Unavailable.of())
      yield* fails(decide(trouble.overloaded), Overloaded.of())
      yield* fails(native.flows.getFlow({ path: { slug: "none" } }), FlowNotFound.of())
      yield* fails(openAi.moderations.moderate({ payload: { input: ["x"] } }), InsufficientCredits.of())
      yield* decide("x")
      yield* fails(decide("y"), InsufficientCredits.of())
    }))

  it("gets refused keys and full windows back as they were, in both dialects", () =>
    Effect.gen(function* () {
      const stranger = yield* connect("svc_unknown")
      yield* fails(stranger.native.models.listModels(), Unauthenticated.invalid())
      const moderate = { payload: { input: ["x"] } }
      yield* fails(stranger.openAi.moderations.moderate(moderate), Unauthenticated.invalid())
      const { native, openAi } = yield* scene({ rateLimit: 1 })
      yield* native.models.listModels()
      const limited = yield* Effect.flip(native.models.listModels())
      expect(limited).toBeInstanceOf(RateLimited)
      expect(limited).toMatchObject({ retryAfter: expect.any(Number) })
      expect(yield* Effect.flip(openAi.moderations.moderate(moderate))).toBeInstanceOf(RateLimited)
    }))

  it("learns where and why a request is invalid", () =>
    Effect.gen(function* () {
      const { native } = yield* scene()
      const unknown = { payload: { text: "x", template: "spam", model: "nonesuch" } } as const
      const error = yield* Effect.flip(native.decisions.decide(unknown))
      expect(error).toBeInstanceOf(HttpApiError.HttpApiDecodeError)
      expect(error).toMatchObject({
        issues: [{ path: ["model"], message: expect.stringMatching(/^value_error: Value error, Unknown model/) }]
      })
    }))
})
