import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

const models =
  "'omni-moderation-latest', 'omni-moderation-2024-09-26', 'text-moderation-latest', 'text-moderation-stable' or 'text-moderation-007'"
const kinds = 'Input should be a string or a part {"type": "text", "text": …}, all of one kind'
const notRead = 'We could not parse the body of your request. Send a JSON object like {"input": "some text"}.'
const notObject = "Invalid body: Input should be a valid dictionary or object to extract fields from."
const long = "String should have at most 64000 characters"
const text = (value: unknown) => ({ type: "text", text: value })

const cases: ReadonlyArray<readonly [string, unknown, string | null, string]> = [
  [
    "an unknown model",
    { input: "x", model: "gpt-5" },
    "model",
    `Invalid value for 'model': Input should be ${models}.`
  ],
  [
    "a model that is no string",
    { input: "x", model: 7 },
    "model",
    `Invalid value for 'model': Input should be ${models}.`
  ],
  ["no input", {}, "input", "Missing required parameter: 'input'."],
  [
    "input null",
    { input: null },
    "input",
    "Invalid value for 'input': Input should be a string, a list of strings or a list of text parts."
  ],
  [
    "input a number",
    { input: 1 },
    "input",
    "Invalid value for 'input': Input should be a string, a list of strings or a list of text parts."
  ],
  [
    "input an object",
    { input: text("x") },
    "input",
    "Invalid value for 'input': Input should be a string, a list of strings or a list of text parts."
  ],
  ["an empty list", { input: [] }, "input", "Invalid value for 'input': List should have 1 to 32 items, not 0."],
  [
    "33 strings",
    { input: Array(33).fill("x") },
    "input",
    "Invalid value for 'input': List should have 1 to 32 items, not 33."
  ],
  [
    "33 parts",
    { input: Array(33).fill(text("x")) },
    "input",
    "Invalid value for 'input': List should have 1 to 32 items, not 33."
  ],
  ["a list with a number", { input: ["x", 1] }, "input", `Invalid value for 'input[1]': ${kinds}.`],
  ["strings beside parts", { input: ["x", text("x")] }, "input", `Invalid value for 'input[1]': ${kinds}.`],
  ["parts beside strings", { input: [text("x"), "x"] }, "input", `Invalid value for 'input[0]': ${kinds}.`],
  [
    "a part that is no text",
    { input: [{ type: "image_url", image_url: { url: "https://x" } }] },
    "input",
    `Invalid value for 'input[0]': ${kinds}.`
  ],
  ["a part without text", { input: [{ type: "text" }] }, "input", `Invalid value for 'input[0]': ${kinds}.`],
  ["a part whose text is no string", { input: [text(["x"])] }, "input", `Invalid value for 'input[0]': ${kinds}.`],
  ["a string that is too long", { input: "x".repeat(64_001) }, "input", `Invalid value for 'input': ${long}.`],
  ["an item that is too long", { input: ["x", "é".repeat(64_001)] }, "input", `Invalid value for 'input[1]': ${long}.`],
  [
    "parts that are too long together",
    { input: Array(3).fill(text("x".repeat(30_000))) },
    "input",
    "Invalid value for 'input': The parts together should have at most 64000 characters."
  ],
  ["a list as the body", [], null, notObject],
  ["a string as the body", "x", null, notObject],
  ["null as the body", null, null, notObject]
]

http("POST /v1/moderations refuses with 400 in OpenAI's form", (it) => {
  const refused = Effect.fn(function* (raw: string) {
    const app = yield* TestApp
    const { key, accountId } = yield* app.customer({ decisions: 8 })
    const { status, body } = yield* app.send("POST", "/v1/moderations", { key, raw })
    expect(yield* app.balance(accountId)).toEqual({ balance: 8 * 15, reserved: 0 })
    expect(status).toBe(400)
    return body
  })

  for (const [name, body, param, message] of cases)
    it(name, () =>
      Effect.gen(function* () {
        expect(yield* refused(JSON.stringify(body))).toEqual({
          error: { message, type: "invalid_request_error", param, code: null }
        })
      })
    )

  for (const raw of ["", "{", '{"input": "x",}', '{"input": NaN}', '{"input": "\\ud800"}', "\u0000"])
    it(`a body that is no JSON: ${JSON.stringify(raw)}`, () =>
      Effect.gen(function* () {
        expect(yield* refused(raw)).toEqual({
          error: { message: notRead, type: "invalid_request_error", param: null, code: null }
        })
      }))

  it("and counts such requests in the window", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer({ rateLimit: 2 })
      const statuses = yield* Effect.forEach(["{", "[]", "{"], (raw) =>
        Effect.map(app.send("POST", "/v1/moderations", { key, raw }), ({ status }) => status)
      )
      expect(statuses).toEqual([400, 400, 429])
    }))
})
