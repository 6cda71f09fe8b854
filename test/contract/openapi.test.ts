import { expect } from "bun:test"
import { Effect } from "effect"
import { isRecord } from "#schema/Field"
import { openApi } from "#src/http/OpenApi"
import { operations } from "#src/http/Operations"
import { published } from "#test/flows/scene"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

const at = (...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), openApi)

const keysAt = (...path: ReadonlyArray<string>) => Object.keys(Object(at(...path)))

const references = (value: unknown): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap(references)
  if (!isRecord(value)) return []
  return [...(typeof value.$ref === "string" ? [value.$ref] : []), ...Object.values(value).flatMap(references)]
}

const body = ["200", "401", "408", "413", "429", "500", "503"]
const paid = [...body, "402", "422", "529"]
const free = ["200", "401", "429", "500", "503"]

/** Every operation of the interface, and the statuses that it can have. */
const table = {
  "/v1/decide": { post: paid },
  "/v1/decide/batch": { post: paid },
  "/v1/templates": { get: free },
  "/v1/systemone": { post: paid },
  "/v1/systemone/batch": { post: paid },
  "/v1/models": { get: free },
  "/v1/flows": { get: free },
  "/v1/flows/{slug}": { get: [...free, "404"] },
  "/v1/flows/{slug}/run": { post: [...paid, "404"] },
  "/v1/usage": { get: [...free, "422"] },
  "/v1/moderations": { post: [...body, "400", "529"] }
}

http("/openapi.json", (it) => {
  it("is what the service gives out, version 1.0.0", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { status, body } = yield* app.send("GET", "/openapi.json")
      expect(status).toBe(200)
      expect(body).toEqual(JSON.parse(JSON.stringify(openApi)))
      expect(body.info.version).toBe("1.0.0")
    }))

  it("has every operation with every status, and no other", () =>
    Effect.sync(() => {
      expect(keysAt("paths").sort()).toEqual(Object.keys(table).sort())
      for (const [path, methods] of Object.entries(table)) {
        expect(keysAt("paths", path)).toEqual(Object.keys(methods))
        for (const [method, statuses] of Object.entries(methods))
          expect({ path, statuses: keysAt("paths", path, method, "responses").sort() }).toEqual({
            path,
            statuses: [...statuses].sort()
          })
      }
    }))

  it("names the request in three headers of every answer, and the wait in those that ask for one", () =>
    Effect.sync(() => {
      const ids = ["x-request-id", "x-svc-request-id", "x-typesafe-request-id"]
      for (const [path, methods] of Object.entries(table))
        for (const [method, statuses] of Object.entries(methods))
          for (const status of statuses) {
            const waits = ["429", "503", "529"].includes(status)
            const found = keysAt("paths", path, method, "responses", status, "headers")
            expect({ path, status, found }).toEqual({ path, status, found: waits ? [...ids, "retry-after"] : ids })
          }
    }))

  it("says how long the parts of a question set may be, and how a request is sent again", () =>
    Effect.sync(() => {
      const set = ["components", "schemas", "SystemOneRequest", "properties"]
      expect(at(...set, "state", "description")).toContain("64000")
      expect(at(...set, "questions", "additionalProperties", "properties", "instructions", "description")).toContain(
        "8000"
      )
      expect(at("info", "description")).toContain("Idempotency-Key")
    }))

  it("says of every field of a request and of an answer what it holds", () =>
    Effect.sync(() => {
      const names = ["DecideRequest", "DecideBatchRequest", "SystemOneRequest", "FlowRunRequest", "ModerationRequest"]
      for (const name of [...names, "FlowGraph", "ValidationError", "DecisionUsage", "FlowStep", "Moderation"])
        for (const field of keysAt("components", "schemas", name, "properties"))
          expect({ name, field, said: at("components", "schemas", name, "properties", field, "description") }).toEqual({
            name,
            field,
            said: expect.any(String)
          })
    }))

  it("refers to nothing that it does not have", () =>
    Effect.sync(() => {
      for (const reference of references(openApi)) expect(at(...reference.slice(2).split("/"))).toBeDefined()
    }))

  it("gives examples that are answered", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer()
      yield* published(accountId, "example")
      for (const path of keysAt("paths"))
        for (const method of keysAt("paths", path)) {
          const { summary, examples = {} } = operations[String(at("paths", path, method, "operationId"))] ?? {}
          expect({ path, summary }).toEqual({ path, summary: expect.any(String) })
          expect({ path, examples: Object.keys(examples).length > 0 }).toEqual({ path, examples: method === "post" })
          for (const [name, example] of Object.entries(examples)) {
            const { status } = yield* app.send("POST", path.replace("{slug}", "example"), { key, body: example })
            expect({ path, name, status }).toEqual({ path, name, status: 200 })
          }
        }
    }))
})
