import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

http("POST /v1/decide", (it) => {
  it("is 422 with everything that is wrong at once, and costs nothing", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 5 })
      const body = { text: 1, type: "rank", question: {}, options: ["a"], lang: 3, cache: "yes" }
      const reply = yield* app.send("POST", "/v1/decide", { key, body })
      expect(reply.status).toBe(422)
      const said = reply.body.detail.map(({ loc, type }: { loc: ReadonlyArray<string>; type: string }) => [
        ...loc,
        type
      ])
      expect(said.sort()).toEqual([
        ["body", "cache", "bool_type"],
        ["body", "lang", "string_type"],
        ["body", "options", "too_short"],
        ["body", "question", "string_type"],
        ["body", "text", "string_type"],
        ["body", "type", "literal_error"]
      ])
      expect(yield* app.balance(accountId)).toEqual({ balance: 75, reserved: 0 })
    }))

  it("is 422 with a model that is not there, whoever answers", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key, accountId } = yield* app.customer({ decisions: 5 })
      for (const template of ["language", "spam"]) {
        const body = { text: "Guten Tag", template, model: "no-such-model" }
        const reply = yield* app.send("POST", "/v1/decide", { key, body })
        expect(reply.status).toBe(422)
        expect(reply.body.detail).toMatchObject([{ loc: ["body", "model"], type: "value_error" }])
      }
      expect(yield* app.balance(accountId)).toEqual({ balance: 75, reserved: 0 })
    }))

  it("is 422 with the option that is wrong by its name, also where a map's order had to be kept", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer({ decisions: 5 })
      const found = (options: string) =>
        app
          .send("POST", "/v1/decide", {
            key,
            raw: `{"text": "x", "type": "score", "question": "How?", "options": ${options}}`
          })
          .pipe(Effect.map(({ status, body }) => [status, ...body.detail.map(({ loc }: { loc: unknown }) => loc)]))
      expect(yield* found('{"a": 5, "b": null}')).toEqual([422, ["body", "options", "a"]])
      expect(yield* found('{"2": 5, "1": null}')).toEqual([422, ["body", "options", "2"]])
      expect(yield* found('[{"name": "2", "description": 5}, "1"]')).toEqual([422, ["body", "options", 0]])
    }))
})
