import { expect } from "bun:test"
import { Effect } from "effect"
import { isRecord } from "#schema/Field"
import { openApi } from "#src/http/OpenApi"
import { published } from "#test/flows/scene"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"
import { decideBatchFaults, decideFaults } from "./decide.ts"
import { type Fault, fault, words } from "./faults.ts"
import { itemFaults, soundSet, systemOneBatchFaults, systemOneFaults } from "./systemone.ts"

const run = fault({ text: "x" })

const endpoints: ReadonlyArray<readonly [string, ReadonlyArray<Fault>]> = [
  ["/v1/decide", decideFaults],
  ["/v1/decide/batch", decideBatchFaults],
  ["/v1/systemone", systemOneFaults],
  ["/v1/systemone/batch", systemOneBatchFaults],
  [
    "/v1/flows/words/run",
    [
      run("text", undefined, words.missing),
      run("text", null, words.string),
      run("text", 1, words.string),
      run("text", "x".repeat(32_001), words.long(32_000)),
      run("text", ["x"], words.string),
      run("text", "😀".repeat(32_001), words.long(32_000)),
      run("lang", 1, words.string),
      run("lang", ["en"], words.string)
    ]
  ]
]

const at = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value)

/** Fields of the body that a path takes, as the interface is described. */
const fieldsOf = (path: string) => {
  const reference = at(openApi, "paths", path, "post", "requestBody", "content", "application/json", "schema", "$ref")
  return Object.keys(Object(at(openApi, ...String(reference).split("/").slice(1), "properties"))).sort()
}

const parsing = ["int_parsing", "Input should be a valid integer, unable to parse string as an integer"]

http("A 422 says where and what", (it) => {
  const scene = Effect.fn(function* () {
    const app = yield* TestApp
    const customer = yield* app.customer({ decisions: 1_000, rateLimit: 10_000 })
    yield* published(customer.accountId, "words")
    return { app, ...customer }
  })

  for (const [path, faults] of endpoints) {
    it(`${path}: ${faults.length} faults, none of them billed`, () =>
      Effect.gen(function* () {
        const { app, key, accountId } = yield* scene()
        for (const { name, body, detail } of faults) {
          const reply = yield* app.send("POST", path, { key, body })
          expect({ name, status: reply.status, body: reply.body }).toEqual({ name, status: 422, body: { detail } })
        }
        expect(yield* app.balance(accountId)).toEqual({ balance: 15_000, reserved: 0 })
      }))

    it(`${path}: a body that is no object, or no JSON`, () =>
      Effect.gen(function* () {
        const { app, key } = yield* scene()
        for (const raw of ["[]", '"x"', "1", "true", "null"]) {
          const { status, body } = yield* app.send("POST", path, { key, raw })
          const [type, msg] = words.object
          expect({ raw, status, body }).toEqual({ raw, status: 422, body: { detail: [{ loc: ["body"], msg, type }] } })
        }
        for (const raw of [
          "",
          "{",
          "{'text': 'x'}",
          '{"text": "x",}',
          '{"text": NaN}',
          '{"text": "\\udead"}',
          "\ufeff\u0000"
        ]) {
          const { status, body } = yield* app.send("POST", path, { key, raw })
          const detail = [{ loc: ["body"], msg: "JSON decode error", type: "json_invalid" }]
          expect({ raw, status, body }).toEqual({ raw, status: 422, body: { detail } })
        }
      }))
  }

  it("is told of every field that the interface has", () =>
    Effect.sync(() => {
      for (const [path, faults] of endpoints) {
        const fields = fieldsOf(path.replace("words", "{slug}"))
        expect(fields.length).toBeGreaterThan(0)
        const told = new Set(faults.flatMap(({ detail }) => detail.map(({ loc }) => loc[1])))
        expect({ path, untold: fields.filter((field) => !told.has(field)) }).toEqual({ path, untold: [] })
      }
    }))

  it("/v1/systemone/batch: a set whose model or length is wrong fails alone", () =>
    Effect.gen(function* () {
      const { app, key } = yield* scene()
      expect(itemFaults.length).toBeGreaterThan(5)
      for (const { name, body, detail } of itemFaults) {
        const reply = yield* app.send("POST", "/v1/systemone/batch", { key, body: { requests: [soundSet, body] } })
        const [first, second] = reply.body.responses
        expect({ name, first: first.status, second }).toEqual({
          name,
          first: 200,
          second: { index: 1, status: 422, body: { detail } }
        })
      }
    }))

  it("/v1/usage: days", () =>
    Effect.gen(function* () {
      const { app, key } = yield* scene()
      for (const [days, type, msg] of [
        ["x", ...parsing],
        ["", ...parsing],
        ["1.5", ...parsing],
        ["1e1", ...parsing],
        ["0x10", ...parsing],
        ["true", ...parsing],
        ["0", "greater_than_equal", "Input should be greater than or equal to 1"],
        ["-30", "greater_than_equal", "Input should be greater than or equal to 1"],
        ["91", "less_than_equal", "Input should be less than or equal to 90"],
        ["9".repeat(400), "less_than_equal", "Input should be less than or equal to 90"]
      ]) {
        const { status, body } = yield* app.send("GET", `/v1/usage?days=${days}`, { key })
        expect({ days, status, body }).toEqual({
          days,
          status: 422,
          body: { detail: [{ loc: ["query", "days"], msg, type }] }
        })
      }
    }))
})
