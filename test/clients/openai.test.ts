import { expect } from "bun:test"
import { Effect } from "effect"
import OpenAI from "openai"
import { TestApp } from "#test/support/app"
import { http, trouble } from "#test/support/service"
import { recorder } from "#test/support/wire"

/** High where the text holds the last word of the question, as the answers of the tests go. */
const illicit = ({ category_scores }: OpenAI.Moderation) => category_scores.illicit

http("openai", (it) => {
  const scene = Effect.fn(function* (options: Parameters<(typeof TestApp)["Service"]["customer"]>[0] = {}) {
    const app = yield* TestApp
    const customer = yield* app.customer(options)
    const wire = recorder()
    const client = (apiKey: string) =>
      new OpenAI({ apiKey, baseURL: `${app.base}/v1`, fetch: wire.fetch, logLevel: "off" })
    return { app, customer, wire, client: client(customer.key), clientOf: client }
  })

  const refused = (run: () => PromiseLike<unknown>) =>
    Effect.promise(async () => {
      try {
        await run()
      } catch (error) {
        return error
      }
      throw new Error("it was answered")
    })

  it("moderations.create takes a string", () =>
    Effect.gen(function* () {
      const { client } = yield* scene()
      const { data, request_id } = yield* Effect.promise(() =>
        client.moderations.create({ input: "wrongdoing" }).withResponse()
      )
      expect(request_id).toBe(data.id.replace("modr-", "req_"))
      expect(data.model).toBe("omni-moderation-latest")
      const [result] = data.results
      expect(result?.categories["self-harm/instructions"]).toBe(false)
      expect(result?.category_scores.illicit).toBe(0.9)
      expect(result?.category_applied_input_types.illicit).toEqual(["text"])
    }))

  it("moderations.create takes strings, and a model", () =>
    Effect.gen(function* () {
      const { client } = yield* scene()
      const { results, model } = yield* Effect.promise(() =>
        client.moderations.create({ model: "text-moderation-stable", input: ["tea", "wrongdoing", "cake"] })
      )
      expect(model).toBe("text-moderation-stable")
      expect(results.map(illicit)).toEqual([0.1, 0.9, 0.1])
    }))

  it("moderations.create takes parts, and answers them as one", () =>
    Effect.gen(function* () {
      const { client } = yield* scene()
      const { results } = yield* Effect.promise(() =>
        client.moderations.create({
          input: [
            { type: "text", text: "tea" },
            { type: "text", text: "wrongdoing" }
          ]
        })
      )
      expect(results.map(illicit)).toEqual([0.9])
    }))

  it("BadRequestError with the parameter", () =>
    Effect.gen(function* () {
      const { client, wire } = yield* scene()
      const model = yield* refused(() => client.moderations.create({ model: "gpt-5", input: "x" }))
      expect(model).toBeInstanceOf(OpenAI.BadRequestError)
      expect(model).toMatchObject({
        status: 400,
        type: "invalid_request_error",
        param: "model",
        requestID: expect.stringMatching(/^req_/),
        message: expect.stringContaining("'omni-moderation-latest'")
      })
      const image = yield* refused(() =>
        client.moderations.create({ input: [{ type: "image_url", image_url: { url: "https://example.com/x.png" } }] })
      )
      expect(image).toMatchObject({ status: 400, param: "input" })
      expect(wire.sent).toHaveLength(2)
    }))

  it("AuthenticationError for a wrong key", () =>
    Effect.gen(function* () {
      const { clientOf, wire } = yield* scene()
      const error = yield* refused(() => clientOf("sk-wrong").moderations.create({ input: "x" }))
      expect(error).toBeInstanceOf(OpenAI.AuthenticationError)
      expect(error).toMatchObject({ status: 401, code: "invalid_api_key", type: "invalid_request_error" })
      expect(wire.sent).toHaveLength(1)
    }))

  it("RateLimitError with insufficient_quota after one request when the balance is empty", () =>
    Effect.gen(function* () {
      const { client, wire } = yield* scene({ decisions: 7 })
      const error = yield* refused(() => client.moderations.create({ input: "x" }))
      expect(error).toBeInstanceOf(OpenAI.RateLimitError)
      expect(error).toMatchObject({ status: 429, code: "insufficient_quota", type: "insufficient_quota" })
      expect(wire.sent).toHaveLength(1)
    }))

  it("waits for the window and then succeeds", () =>
    Effect.gen(function* () {
      const { app, client, customer, wire } = yield* scene({ rateLimit: 1 })
      yield* Effect.promise(() => client.moderations.create({ input: "tea" }))
      yield* app.ageWindow(customer.keyId, 57)
      const { results } = yield* Effect.promise(() => client.moderations.create({ input: "wrongdoing" }))
      expect(results.map(illicit)).toEqual([0.9])
      expect(wire.sent.map(({ status }) => status)).toEqual([200, 429, 200])
    }))

  it("InternalServerError after retries when the models cannot answer", () =>
    Effect.gen(function* () {
      const { client, wire } = yield* scene()
      const error = yield* refused(() => client.moderations.create({ input: trouble.overloaded }, { maxRetries: 1 }))
      expect(error).toBeInstanceOf(OpenAI.InternalServerError)
      expect(error).toMatchObject({ status: 529, type: "server_error" })
      expect(wire.sent).toHaveLength(2)
    }))

  it("gets the stored answer, charged once, when the first was lost on its way", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 8 })
      const wire = recorder(async (send, attempt) => {
        const response = await send()
        if (attempt === 0) throw new TypeError("connection lost")
        return response
      })
      const client = new OpenAI({ apiKey: key, baseURL: `${app.base}/v1`, fetch: wire.fetch, logLevel: "off" })
      const { results } = yield* Effect.promise(() => client.moderations.create({ input: "wrongdoing" }))
      expect(results.map(illicit)).toEqual([0.9])
      expect(wire.sent.map(({ status }) => status)).toEqual([200, 200])
      expect(yield* app.balance(accountId)).toEqual({ balance: 0, reserved: 0 })
    }))

  it("NotFoundError for what is not offered", () =>
    Effect.gen(function* () {
      const { client } = yield* scene()
      const error = yield* refused(() => client.embeddings.create({ model: "x", input: "x" }))
      expect(error).toBeInstanceOf(OpenAI.NotFoundError)
    }))
})
