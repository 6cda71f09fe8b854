import { expect } from "bun:test"
import {
  APIError,
  APITimeoutError,
  APIUserAbortError,
  AuthenticationError,
  choice,
  InternalServerError,
  NotFoundError,
  noul,
  RateLimitError,
  score,
  TypeSafeClient,
  UnprocessableEntityError
} from "@typesafe-ai/sdk"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http, trouble } from "#test/support/service"
import { recorder } from "#test/support/wire"

const urgent = { urgent: noul("Is it urgent?") }

const failureOf = (run: () => PromiseLike<unknown>) =>
  Effect.promise(() =>
    Promise.resolve(run()).then(
      () => Promise.reject(new Error("it was answered")),
      (error: unknown) => error
    )
  )

http("@typesafe-ai/sdk", (it) => {
  const scene = Effect.fn(function* (options: Parameters<(typeof TestApp)["Service"]["customer"]>[0] = {}) {
    const app = yield* TestApp
    const customer = yield* app.customer(options)
    const wire = recorder()
    const client = new TypeSafeClient({ apiKey: customer.key, baseURL: app.base, fetch: wire.fetch, logLevel: "off" })
    return { app, customer, client, wire }
  })

  it("systemOne answers a noul, a choice and a score about a text", () =>
    Effect.gen(function* () {
      const { client } = yield* scene()
      const { data, response, requestId } = yield* Effect.promise(() =>
        client
          .systemOne({
            state: "This is urgent: I want my refund, level high",
            questions: {
              ...urgent,
              topic: choice("What is it about?", { refund: "money back", shipping: null, other: { any: ["thing"] } }),
              level: score({ ask: "How bad?" }, ["low", null, "high"]),
              bare: noul(null, { true: "refund", false: ["no", { refund: false }] })
            }
          })
          .withResponse()
      )
      expect(requestId).toMatch(/^req_[0-9A-Za-z]+$/)
      expect(requestId).toBe(response.headers.get("x-request-id") ?? "")
      expect(data.model).toBe("svc-english")
      expect(data.answers.urgent).toEqual({ type: "noul", noul: 0.9, confidence: 0.8 } as typeof data.answers.urgent)
      expect(data.answers.topic.choice).toBe("refund")
      expect(data.answers.topic.probabilities).toEqual({ refund: 0.818182, shipping: 0.090909, other: 0.090909 })
      expect(data.answers.level.legend).toEqual({ "0": "low", "1": null, "2": "high" })
      expect(Object.keys(data.answers.level.probabilities)).toEqual(["0", "1", "2"])
      expect(data.answers.bare.type).toBe("noul")
      expect(data.usage).toEqual({ input_tokens: expect.any(Number), output_tokens: 0 } as unknown as typeof data.usage)
    }))

  it("systemOne answers about objects and lists, under a model of the caller's", () =>
    Effect.gen(function* () {
      const { client } = yield* scene()
      const ask = (state: Parameters<typeof client.systemOne>[0]["state"], model?: string) =>
        Effect.promise(() => client.systemOne({ state, questions: urgent, ...(model === undefined ? {} : { model }) }))
      expect((yield* ask({ subject: "urgent", lines: [1, null, true] })).answers.urgent.noul).toBe(0.9)
      expect((yield* ask(["calm", { deep: ["words"] }], "svc-multilingual")).model).toBe("svc-multilingual")
      expect((yield* ask("", "any-alias-latest")).answers.urgent.noul).toBe(0.1)
    }))

  it("map and asResponse give the same answer in other forms", () =>
    Effect.gen(function* () {
      const { client } = yield* scene()
      const ask = () => client.systemOne({ state: "urgent", questions: urgent })
      expect(yield* Effect.promise(() => ask().map(({ answers }) => answers.urgent.noul))).toBe(0.9)
      const response = yield* Effect.promise(() => ask().asResponse())
      const body = yield* Effect.promise(() => response.json())
      expect(body).toMatchObject({ answers: { urgent: { noul: 0.9 } }, meta: { decisions: 1, cached: true } })
    }))

  it("models.list lists name, description and release date", () =>
    Effect.gen(function* () {
      const { client } = yield* scene()
      const models = yield* Effect.promise(() => client.models.list())
      expect(models.map(({ name }) => name)).toEqual(["svc-auto", "svc-english", "svc-multilingual"])
      for (const model of models) {
        expect(model.description).not.toBe("")
        expect(model.release_date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
      }
    }))

  it("waits the retry-after of a 429 and then succeeds", () =>
    Effect.gen(function* () {
      const { app, customer, client, wire } = yield* scene({ rateLimit: 1 })
      yield* Effect.promise(() => client.models.list())
      yield* app.ageWindow(customer.keyId, 57)
      const started = performance.now()
      const { answers } = yield* Effect.promise(() => client.systemOne({ state: "urgent", questions: urgent }))
      expect(answers.urgent.noul).toBe(0.9)
      expect(performance.now() - started).toBeGreaterThanOrEqual(990)
      expect(wire.sent.map(({ status }) => status)).toEqual([200, 429, 200])
      expect(wire.sent[2]?.headers.get("x-typesafe-retry-count")).toBe("1")
    }))

  it("gets the stored answer, charged once, when the first was lost on its way", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 1 })
      const wire = recorder(async (send, attempt) => {
        const response = await send()
        if (attempt === 0) throw new TypeError("connection lost")
        return response
      })
      const client = new TypeSafeClient({
        apiKey: key,
        baseURL: app.base,
        fetch: wire.fetch,
        logLevel: "off",
        retry: { backoffInitialMs: 1 }
      })
      const { response } = yield* Effect.promise(() =>
        client.systemOne({ state: "urgent", questions: urgent }).withResponse()
      )
      expect(response.headers.get("idempotent-replayed")).toBe("true")
      expect(wire.sent.map(({ status }) => status)).toEqual([200, 200])
      expect(yield* app.balance(accountId)).toEqual({ balance: 0, reserved: 0 })
    }))

  it("AuthenticationError for a wrong key, not retried", () =>
    Effect.gen(function* () {
      const { app } = yield* scene()
      const wire = recorder()
      const client = new TypeSafeClient({ apiKey: "svc_wrong", baseURL: app.base, fetch: wire.fetch, logLevel: "off" })
      const error = yield* failureOf(() => client.models.list())
      expect(error).toBeInstanceOf(AuthenticationError)
      expect(error).toMatchObject({
        status: 401,
        message: "401 Invalid or revoked API key. Check the key or create a new one.",
        requestId: expect.stringMatching(/^req_/)
      })
      expect(wire.sent).toHaveLength(1)
    }))

  it("APIError with the status for an empty balance, not retried", () =>
    Effect.gen(function* () {
      const { client, wire } = yield* scene({ decisions: 0 })
      const error = yield* failureOf(() => client.systemOne({ state: "x", questions: urgent }))
      expect(error).toBeInstanceOf(APIError)
      expect(error).toMatchObject({ status: 402, body: { detail: { error_type: "insufficient_credits" } } })
      expect(wire.sent).toHaveLength(1)
    }))

  it("UnprocessableEntityError that says where and what, not retried", () =>
    Effect.gen(function* () {
      const { client, wire } = yield* scene()
      const error = yield* failureOf(() => client.systemOne({ state: null, model: "nonesuch", questions: urgent }))
      expect(error).toBeInstanceOf(UnprocessableEntityError)
      expect(error).toMatchObject({
        status: 422,
        message: "422 state: Value error, state should be a string, an object or a list",
        requestId: expect.stringMatching(/^req_/)
      })
      const other = yield* failureOf(() => client.systemOne({ state: "x", model: "nonesuch", questions: urgent }))
      expect(other).toBeInstanceOf(UnprocessableEntityError)
      expect(other).toMatchObject({ message: expect.stringMatching(/^422 model: .*Unknown model/) })
      expect(wire.sent).toHaveLength(2)
    }))

  it("NotFoundError for a path that is not ours", () =>
    Effect.gen(function* () {
      const { app, customer } = yield* scene()
      const client = new TypeSafeClient({ apiKey: customer.key, baseURL: `${app.base}/elsewhere`, logLevel: "off" })
      const error = yield* failureOf(() => client.models.list())
      expect(error).toBeInstanceOf(NotFoundError)
      expect(error).toMatchObject({ body: { detail: { error_type: "not_found" } } })
    }))

  it("RateLimitError with the delay when retries are off", () =>
    Effect.gen(function* () {
      const { client } = yield* scene({ rateLimit: 1 })
      yield* Effect.promise(() => client.models.list())
      const error = yield* failureOf(() => client.models.list({ retry: { maxRetries: 0 } }))
      expect(error).toBeInstanceOf(RateLimitError)
      if (!(error instanceof RateLimitError)) return
      expect(error.retryAfterMs).toBeGreaterThan(50_000)
      expect(error.retryAfterMs).toBeLessThanOrEqual(60_000)
    }))

  for (const [text, status] of [
    [trouble.unavailable, 503],
    [trouble.overloaded, 529]
  ] as const)
    it(`InternalServerError for ${status} after retries as far apart as retry-after says`, () =>
      Effect.gen(function* () {
        const { app, customer, client, wire } = yield* scene({ decisions: 1 })
        const started = performance.now()
        const error = yield* failureOf(() =>
          client.systemOne({ state: text, questions: urgent }, { retry: { maxRetries: 1 } })
        )
        expect(error).toBeInstanceOf(InternalServerError)
        expect(error).toMatchObject({ status })
        expect(wire.sent.map((one) => one.status)).toEqual([status, status])
        expect(performance.now() - started).toBeGreaterThanOrEqual(990)
        expect(yield* app.balance(customer.accountId)).toEqual({ balance: 15, reserved: 0 })
      }))

  it("APITimeoutError and APIUserAbortError leave nothing reserved", () =>
    Effect.gen(function* () {
      const { app, customer, client } = yield* scene({ decisions: 1 })
      const ask = (options: Parameters<typeof client.systemOne>[1]) =>
        failureOf(() =>
          client.systemOne({ state: trouble.slow, questions: urgent }, { ...options, retry: { maxRetries: 0 } })
        )
      expect(yield* ask({ timeout: 50 })).toBeInstanceOf(APITimeoutError)
      expect(yield* ask({ signal: AbortSignal.timeout(50) })).toBeInstanceOf(APIUserAbortError)
      const free = yield* app
        .balance(customer.accountId)
        .pipe(Effect.repeat({ until: ({ reserved }) => reserved === 0 }), Effect.timeout("2 seconds"))
      expect(free).toEqual({ balance: 15, reserved: 0 })
    }))
})
