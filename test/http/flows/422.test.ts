import { expect } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { definition, published } from "#test/flows/scene"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

http("POST /v1/flows/{slug}/run", (it) => {
  const cases: ReadonlyArray<
    readonly [string, unknown, ReadonlyArray<readonly [ReadonlyArray<string>, string, string]>]
  > = [
    ["nothing", {}, [[["body", "text"], "missing", "Field required"]]],
    ["a number for a text", { text: 1 }, [[["body", "text"], "string_type", "Input should be a valid string"]]],
    ["null for a text", { text: null }, [[["body", "text"], "string_type", "Input should be a valid string"]]],
    [
      "too long a text",
      { text: "😀".repeat(32_001) },
      [[["body", "text"], "string_too_long", "String should have at most 32000 characters"]]
    ],
    [
      "two wrong fields",
      { text: [], lang: 7 },
      [
        [["body", "text"], "string_type", "Input should be a valid string"],
        [["body", "lang"], "string_type", "Input should be a valid string"]
      ]
    ],
    [
      "a list",
      ["text"],
      [[["body"], "model_attributes_type", "Input should be a valid dictionary or object to extract fields from"]]
    ]
  ]

  for (const [what, body, issues] of cases)
    it(`is 422 for ${what}, and costs nothing`, () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const { key, accountId } = yield* app.customer({ decisions: 5 })
        yield* published(accountId, "front-door")
        const reply = yield* app.send("POST", "/v1/flows/front-door/run", { key, body })
        expect(reply.status).toBe(422)
        expect(reply.body).toEqual({ detail: issues.map(([loc, type, msg]) => ({ loc, msg, type })) })
        expect(yield* app.balance(accountId)).toEqual({ balance: 75, reserved: 0 })
      }))

  it("is 422 for a body that is no JSON", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const reply = yield* app.send("POST", "/v1/flows/front-door/run", { key, raw: "{text:" })
      expect(reply.status).toBe(422)
      expect(reply.body).toEqual({ detail: [{ loc: ["body"], msg: "JSON decode error", type: "json_invalid" }] })
    }))

  it("takes 32,000 characters, each a surrogate pair", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 5 })
      yield* published(accountId, "front-door")
      const reply = yield* app.send("POST", "/v1/flows/front-door/run", { key, body: { text: "😀".repeat(32_000) } })
      expect(reply.status).toBe(200)
    }))

  it("names the question whose model is gone, and bills none of the questions before it", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const sql = yield* SqlClient
      const { key, accountId } = yield* app.customer({ decisions: 5 })
      const gone = JSON.stringify(definition).replace(
        '"question":"Which team?"',
        '"question":"Which team?","model":"gone"'
      )
      const id = `flow_${accountId}`
      yield* sql`insert into flows (id, account_id, slug, name, draft, published_version, longest_path)
        values (${id}, ${accountId}, 'orphan', 'Orphan', ${gone}::json, 1, 3)`
      yield* sql`insert into flow_versions (flow_id, version, revision, name, definition, questions, outcomes, longest_path)
        values (${id}, 1, 1, 'Orphan', ${gone}::json, 3, '[]', 3)`
      const reply = yield* app.send("POST", "/v1/flows/orphan/run", { key, body: { text: "sales" } })
      expect(reply.status).toBe(422)
      expect(reply.body.detail).toEqual([
        {
          loc: ["path", "slug"],
          msg: "Value error, the model of its question 'Team?' is no longer there",
          type: "value_error"
        }
      ])
      expect(yield* app.balance(accountId)).toEqual({ balance: 75, reserved: 0 })
    }))
})
