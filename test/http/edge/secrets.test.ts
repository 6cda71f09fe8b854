import { expect } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Logger, LogLevel } from "effect"
import { Inference } from "#src/inference/Inference"
import { plainReading, TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"

const text = "my sister's diagnosis is nobody's business"
const bug = "fails inside"

const written: Array<string> = []
const logs = Logger.replace(
  Logger.defaultLogger,
  Logger.map(Logger.jsonLogger, (line) => void written.push(line))
)

const inference = Layer.effect(
  Inference,
  Effect.map(Inference, (plain) =>
    Inference.of({
      ...plain,
      answer: (ask) => (ask.state.includes(bug) ? Effect.die(new Error("out of range")) : plain.answer(ask))
    })
  )
).pipe(Layer.provide(Inference.layerTest(plainReading)))

const service = testApp({ inference }).pipe(
  Layer.provideMerge(Layer.merge(logs, Logger.minimumLogLevel(LogLevel.Trace)))
)

withLayer(service)("Logs and errors", (it) => {
  it("hold no key, pepper or text of a caller, whatever happens", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const sql = yield* SqlClient
      const { key } = yield* app.customer({ decisions: 3 })
      const decide = (body: unknown) => app.send("POST", "/v1/decide", { key, body })
      const replies = [
        yield* decide({ template: "spam", text }),
        yield* decide({ template: "spam", text: `${text} ${bug}` }),
        yield* decide({ template: text, text }),
        yield* decide({ template: "spam", text: text.repeat(1_000) }),
        yield* app.send("POST", "/v1/decide", { key, raw: `{"text": "${text}` }),
        yield* app.send("POST", "/v1/moderations", { key, body: { input: text, model: text } }),
        yield* app.send("POST", `/v1/flows/${encodeURIComponent(text)}/run`, { key, body: { text } }),
        yield* app.send("GET", `/v1/usage?days=${encodeURIComponent(text)}`, { key }),
        yield* app.send("GET", "/v1/usage", { key: `${key.slice(0, -1)}x` })
      ]
      yield* sql`alter table reservations rename to elsewhere`
      replies.push(yield* decide({ template: "spam", text }))
      yield* sql`alter table elsewhere rename to reservations`

      expect(replies.map(({ status }) => status)).toEqual([200, 500, 422, 422, 422, 400, 404, 422, 401, 503])
      expect(written.length).toBeGreaterThan(replies.length)
      const all = [...written, ...replies.map(({ body }) => JSON.stringify(body))].join("\n")
      for (const secret of [key, key.slice(4, -1), "pepper of the tests", "diagnosis"])
        expect(all).not.toContain(secret)
    }))
})
