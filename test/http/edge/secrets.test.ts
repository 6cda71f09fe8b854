import { expect } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Exit, Layer, Logger, LogLevel, Metric, Redacted, Tracer } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { visitor } from "#test/console/visitor"
import { answeringWith } from "#test/support/answering"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"

const text = "my sister's diagnosis is nobody's business"
const bug = "fails inside"
const token = "a-token-that-opens-everything"
const password = "the password of somebody"

const written: Array<string> = []
const logs = Logger.replace(
  Logger.defaultLogger,
  Logger.map(Logger.jsonLogger, (line) => void written.push(line))
)

/** What a tracer is told; of addresses only where they lead, since their callers have written them. */
const told: Array<string> = []
const tracer = Tracer.make({
  context: (run) => run(),
  span: (name, parent, context, links, startTime, kind) => {
    const tell = (...what: ReadonlyArray<unknown>) => told.push(JSON.stringify([name, ...what.map(String)]))
    tell()
    return {
      _tag: "Span",
      name,
      spanId: "1",
      traceId: "1",
      parent,
      context,
      links,
      kind,
      sampled: true,
      status: { _tag: "Started", startTime },
      attributes: new Map(),
      attribute: (key, value) => void (key.startsWith("url.") || tell(key, value)),
      event: (event, _, attributes) => void tell(event, JSON.stringify(attributes)),
      addLinks: () => {},
      end: (_, exit) => void (Exit.isFailure(exit) && tell(exit))
    }
  }
})

const inference = answeringWith((ask, plain) =>
  ask.state.includes(bug) ? Effect.die(new Error("out of range")) : plain(ask)
)

const app = testApp({ inference, settings: { internalTokens: [{ name: "test", token: Redacted.make(token) }] } })
const service = Layer.unwrapEffect(
  Effect.map(TestApp, ({ base }) => InternalClient.layer({ url: `${base}/rpc`, token: Redacted.make(token) }))
).pipe(
  Layer.provideMerge(app),
  Layer.provideMerge(Layer.mergeAll(logs, Logger.minimumLogLevel(LogLevel.Trace), Layer.setTracer(tracer)))
)

withLayer(service)("Logs, errors, traces and metrics", (it) => {
  it("hold no key, password, session, token or pepper, nor the text of a caller, whatever happens", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const client = yield* InternalClient
      const sql = yield* SqlClient
      const { key, accountId: account } = yield* app.customer({ decisions: 5 })
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
        yield* app.send("GET", `/v1/usage/${key}`),
        yield* app.send("GET", `/${encodeURIComponent(text)}`),
        yield* app.send("GET", "/v1/usage", { key: `${key.slice(0, -1)}${key.endsWith("x") ? "y" : "x"}` })
      ]
      const somebody = yield* visitor
      yield* somebody.send("POST", "/session", { email: somebody.email, password })
      yield* somebody.send("POST", "/account/password", { current: password, next: password })
      const spec = { template: "spam" } as const
      const calls = [
        yield* Effect.exit(client.Decide({ account, spec, text })),
        yield* Effect.exit(client.Decide({ account, spec, text: `${text} ${bug}` })),
        yield* Effect.exit(client.CreateAccount({ email: somebody.email, password: Redacted.make(password) }))
      ]
      // Only the service that sent it is told what was wrong with it.
      const payload = { account, spec: { template: text }, text }
      const wrong = { _tag: "Request", id: "1", tag: "Decide", payload, headers: [] }
      const answer = yield* app.send("POST", "/rpc", { key: token, raw: `${JSON.stringify(wrong)}\n` })
      expect(JSON.stringify(answer.body)).toContain("diagnosis")
      yield* sql`alter table reservations rename to elsewhere`
      replies.push(yield* decide({ template: "spam", text }))
      calls.push(yield* Effect.exit(client.Decide({ account, spec, text })))
      yield* sql`alter table elsewhere rename to reservations`

      expect(replies.map(({ status }) => status)).toEqual([200, 500, 422, 422, 422, 400, 404, 422, 404, 404, 401, 503])
      expect(calls.map(({ _tag }) => _tag)).toEqual(["Success", "Failure", "Failure", "Failure"])
      expect(written.length).toBeGreaterThan(replies.length)
      expect(told.length).toBeGreaterThan(replies.length)
      const all = [
        ...written,
        ...told,
        ...replies.map(({ body }) => JSON.stringify(body)),
        ...calls.map((call) => JSON.stringify(call)),
        JSON.stringify(Metric.unsafeSnapshot())
      ].join("\n")
      const cookie = somebody.cookie().split("=")[1] ?? "no cookie"
      for (const secret of [key, key.slice(4, -1), "pepper of the tests", token, password, somebody.password, cookie])
        expect(all).not.toContain(secret)
      expect(all).not.toContain("diagnosis")
    }))
})
