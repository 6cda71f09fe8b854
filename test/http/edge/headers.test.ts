import { expect } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type Customer, type Reply, TestApp, testApp } from "#test/support/app"
import { dial } from "#test/support/dial"
import { withLayer } from "#test/support/effect"
import { trouble, troubled } from "#test/support/service"

type Sent = Pick<Reply, "status" | "headers">

const asking = (text: string) => ({ text, template: "spam", cache: false })

/** The answer to a request whose body stays away. */
const unfinished = (path: string, key: string) =>
  Effect.flatMap(TestApp, ({ base }) =>
    Effect.promise(async (): Promise<Sent> => {
      const head = `POST ${path} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${key}\r\nContent-Length: 99\r\n\r\n{"te`
      const [first = "", ...lines] = (await (await dial(base, head)).ended).split("\r\n\r\n")[0]?.split("\r\n") ?? []
      const fields = lines.map((line): [string, string] => [
        line.slice(0, line.indexOf(":")),
        line.slice(line.indexOf(":") + 1).trim()
      ])
      return { status: Number(first.split(" ")[1]), headers: new Headers(fields) }
    })
  )

type Request = (customer: Customer) => Effect.Effect<Sent, unknown, TestApp | SqlClient>

const get =
  (path: string, method = "GET"): Request =>
  ({ key }) =>
    Effect.flatMap(TestApp, (app) => app.send(method, path, { key }))
const post =
  (path: string, body: unknown): Request =>
  ({ key }) =>
    Effect.flatMap(TestApp, (app) => app.send("POST", path, { key, body }))
/** The same twice. */
const second =
  (request: Request): Request =>
  (customer) =>
    Effect.zipRight(request(customer), request(customer))
const stranger =
  (request: Request): Request =>
  (customer) =>
    request({ ...customer, key: "svc_nobody" })
const large =
  (path: string): Request =>
  ({ key }) =>
    Effect.flatMap(TestApp, (app) => app.send("POST", path, { key, raw: new Uint8Array(33 * 1024 * 1024).fill(0x20) }))
const replayed: Request = ({ key }) =>
  Effect.flatMap(TestApp, (app) =>
    app.send("POST", "/v1/decide", { key, body: asking("x"), headers: { "idempotency-key": "kept" } })
  )
const without =
  (table: string, request: Request): Request =>
  (customer) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`alter table ${sql(table)} rename to elsewhere`
      const reply = yield* request(customer)
      yield* sql`alter table elsewhere rename to ${sql(table)}`
      return reply
    })

const cases: ReadonlyArray<
  readonly [status: number, what: string, request: Request, scene?: { decisions?: number; rateLimit?: number }]
> = [
  [200, "a decision", post("/v1/decide", asking("x"))],
  [200, "a batch with items that failed", post("/v1/decide/batch", { template: "spam", texts: [trouble.overloaded] })],
  [200, "a retry's stored answer", second(replayed)],
  [200, "what is free", get("/v1/templates")],
  [200, "what needs no key", get("/health")],
  [200, "a page", get("/docs")],
  [200, "a head alone", get("/v1/templates", "HEAD")],
  [400, "a moderation without input", post("/v1/moderations", {})],
  [401, "an unknown key", stranger(get("/v1/usage"))],
  [401, "an unknown key at the moderation", stranger(post("/v1/moderations", { input: "x" }))],
  [401, "no session", get("/console/api/keys")],
  [402, "no credit", post("/v1/decide", asking("x")), { decisions: 0 }],
  [404, "a path that is not there", get("/nowhere")],
  [404, "a flow that is not there", post("/v1/flows/nowhere/run", { text: "x" })],
  [405, "a wrong method", get("/v1/decide")],
  [408, "a body that does not come", ({ key }) => unfinished("/v1/decide", key)],
  [408, "a text to moderate that does not come", ({ key }) => unfinished("/v1/moderations", key)],
  [413, "a body that is too large", large("/v1/decide")],
  [413, "a body to moderate that is too large", large("/v1/moderations")],
  [422, "a question without a text", post("/v1/decide", { template: "spam" })],
  [429, "a full window", second(get("/v1/templates")), { rateLimit: 1 }],
  [429, "a full window at the moderation", second(post("/v1/moderations", { input: "x" })), { rateLimit: 1 }],
  [429, "no credit at the moderation", post("/v1/moderations", { input: "x" }), { decisions: 0 }],
  [500, "a bug of ours", post("/v1/decide", asking(trouble.bug))],
  [500, "a bug of ours in the moderation", post("/v1/moderations", { input: trouble.bug })],
  [503, "no model", post("/v1/decide", asking(trouble.unavailable))],
  [503, "no model for the moderation", post("/v1/moderations", { input: trouble.unavailable })],
  [503, "no database", without("keys", get("/v1/usage"))],
  [529, "no free worker", post("/v1/decide", asking(trouble.overloaded))],
  [529, "no free worker for the moderation", post("/v1/moderations", { input: trouble.overloaded })]
]

const ids = ["x-request-id", "x-svc-request-id", "x-typesafe-request-id"]

withLayer(testApp({ inference: troubled, settings: { bodySeconds: 1 } }))(
  "Every answer has three equal ids, retry-after where a retry may help, and no quota that is left",
  (it) => {
    for (const [status, what, request, scene] of cases)
      it(`${status}: ${what}`, () =>
        Effect.gen(function* () {
          const reply = yield* request(yield* (yield* TestApp).customer(scene))
          expect(reply.status).toBe(status)
          const [first = null, ...others] = ids.map((name) => reply.headers.get(name))
          expect(first).toMatch(/^req_[0-9A-Za-z]{21}$/)
          expect(others).toEqual([first, first])
          const retryAfter = reply.headers.get("retry-after")
          if ([429, 503, 529].includes(status)) {
            expect(retryAfter).toMatch(/^\d+$/)
            expect(Number(retryAfter)).toBeWithin(1, 61)
          } else expect(retryAfter).toBeNull()
          expect(
            [...reply.headers.keys()].filter((name) => /ratelimit|rate-limit|remaining|quota/i.test(name))
          ).toEqual([])
        }))
  }
)
