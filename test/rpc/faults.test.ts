import { describe, expect } from "bun:test"
import { createServer } from "node:http"
import { Effect, Either, Exit, Redacted, Stream } from "effect"
import { InternalClient } from "#schema/InternalClient"
import type { SystemOneRequest } from "#schema/QuestionSet"
import { answeringWith } from "#test/support/answering"
import { TestApp, testApp } from "#test/support/app"
import { live, withLayer } from "#test/support/effect"
import { eitherWay, overHttp } from "#test/support/internal"

const token = "0123456789abcdef0123456789abcdef"
const next = "fedcba9876543210fedcba9876543210"
const internalTokens = [
  { name: "mail", token: Redacted.make(token) },
  { name: "mail-next", token: Redacted.make(next) }
]

const bug = "nobody thought of this"

/** Texts that are asked about for ever, and those of them that were given up. */
const endless = "there is no end to this"
const begun: Array<string> = []
const left: Array<string> = []
const neverAnswered = (text: string) =>
  Effect.sync(() => begun.push(text)).pipe(
    Effect.zipRight(Effect.never),
    Effect.onInterrupt(() => Effect.sync(() => left.push(text)))
  )

/** Takes a while for every text, for ever for some, and fails as nobody foresaw for one. */
const inference = answeringWith((ask, plain) => {
  if (ask.state === bug) return Effect.die(new Error("a bug"))
  return ask.state.startsWith(endless) ? neverAnswered(ask.state) : Effect.delay(plain(ask), "20 millis")
})

const app = testApp({ settings: { internalTokens }, inference })
const spec = { type: "yes_no", question: "Is it urgent?", cache: false } as const

const about = (state: string): SystemOneRequest => ({
  state,
  model: "svc-auto",
  questions: [["q", { type: "noul", instructions: "Is it?" }]]
})

withLayer(app)("Internal procedures", (it) => {
  describe("where something goes wrong", () =>
    eitherWay(app, token, (it, way) => {
      it("a stream that is left ends all work for it, and costs what it had given", () =>
        Effect.gen(function* () {
          const client = yield* InternalClient
          const service = yield* TestApp
          const { accountId: account } = yield* service.customer({ decisions: 100 })
          const given = Array.from({ length: 5 }, (_, i) => `urgent ${i}`)
          const texts = [...given, ...Array.from({ length: 50 }, (_, i) => `${endless} ${way} ${i}`)]
          const taken = yield* Stream.runCollect(Stream.take(client.DecideMany({ account, spec, texts }), given.length))
          expect([...taken].map(({ index }) => index).sort()).toEqual([0, 1, 2, 3, 4])
          const { balance } = yield* Effect.repeat(Effect.delay(service.balance(account), "20 millis"), {
            until: ({ reserved }) => reserved === 0
          })
          expect(balance).toBe(95 * 15)
          const mine = begun.filter((text) => text.includes(way))
          expect(mine.length).toBeWithin(1, 9)
          expect(left.filter((text) => text.includes(way)).sort()).toEqual(mine.sort())
        }))

      it("a bug in a procedure ends its own call alone, uncharged", () =>
        Effect.gen(function* () {
          const client = yield* InternalClient
          const service = yield* TestApp
          const { accountId: account } = yield* service.customer({ decisions: 100 })
          const texts = Array.from({ length: 30 }, (_, i) => `urgent ${i}`)
          const others = yield* Effect.fork(
            Effect.all(
              [
                Stream.runCollect(client.DecideMany({ account, spec, texts })),
                Effect.forEach(texts, (text) => client.Decide({ account, spec, text }), { concurrency: 10 })
              ],
              { concurrency: 2 }
            )
          )
          const died = yield* Effect.forEach(
            [
              Effect.asVoid(client.Decide({ account, spec, text: bug })),
              Effect.asVoid(client.AnswerSet({ account, request: about(bug) }))
            ],
            Effect.exit
          )
          expect(died.map((exit) => Exit.isFailure(exit) && exit.cause._tag)).toEqual(["Die", "Die"])
          const stream = yield* Effect.exit(Stream.runCollect(client.DecideMany({ account, spec, texts: [bug] })))
          expect(Exit.isFailure(stream)).toBe(true)
          const [streamed, decided] = yield* others
          expect([...streamed].map(({ outcome }) => Either.isRight(outcome))).toEqual(texts.map(() => true))
          expect(decided).toHaveLength(30)
          expect((yield* client.Decide({ account, spec, text: "urgent" })).decision).toBe(true)
          expect(yield* service.balance(account)).toEqual({ balance: (100 - 61) * 15, reserved: 0 })
        }))
    }))

  it("are called by POST alone, as any other method is told", () =>
    Effect.gen(function* () {
      const { send } = yield* TestApp
      for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        const { status, headers, body } = yield* send(method, "/rpc", { headers: { authorization: `Bearer ${token}` } })
        expect([method, status, headers.get("allow")]).toEqual([method, 405, "POST"])
        const detail = { error_type: "method_not_allowed", message: "This path takes POST." }
        expect(body).toEqual(method === "HEAD" ? "" : { detail })
      }
    }))

  describe("Service tokens", () => {
    const templates = (secret: string) =>
      Effect.provide(
        Effect.flatMap(InternalClient, (client) => client.ListTemplates()),
        overHttp(secret)
      )
    it("open the interface, each of them", () =>
      Effect.gen(function* () {
        for (const secret of [token, next]) expect(yield* templates(secret)).toHaveLength(9)
        expect((yield* Effect.flip(templates(`${token}${next}`)))._tag).toBe("WrongToken")
      }))

    it("are asked for where a call has none at all", () =>
      Effect.gen(function* () {
        const { send } = yield* TestApp
        const raw = `${JSON.stringify({ _tag: "Request", id: "1", tag: "ListTemplates", headers: [] })}\n`
        const headers: ReadonlyArray<Record<string, string>> = [{}, { authorization: "Basic eDp5" }]
        for (const sent of headers)
          expect(JSON.stringify((yield* send("POST", "/rpc", { raw, headers: sent })).body)).toContain("WrongToken")
      }))
  })
})

withLayer(testApp())("Without a service token", (it) => {
  it("there is no interface", () =>
    Effect.gen(function* () {
      const { send } = yield* TestApp
      const headers = { authorization: `Bearer ${token}` }
      expect((yield* send("POST", "/rpc", { raw: "{}", headers })).status).toBe(404)
      expect((yield* send("GET", "/rpc", { headers })).status).toBe(404)
    }))
})

/** A server that answers each request as `answers` says in turn, the last one for ever; and how often it was asked. */
const stubborn = (answers: ReadonlyArray<"break" | "end" | "refuse">) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const asked: Array<string> = []
      const server = createServer((request, response) => {
        const parts: Array<Buffer> = []
        request.on("data", (part: Buffer) => parts.push(part))
        request.on("end", () => {
          const answer = answers[Math.min(asked.length, answers.length - 1)]
          asked.push(JSON.parse(Buffer.concat(parts).toString().split("\n")[0] ?? "").tag)
          if (answer === "break") return request.socket.destroy()
          return answer === "end" ? response.end() : response.writeHead(502).end("<html>")
        })
      })
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
      const address = server.address()
      return { asked, server, port: typeof address === "object" && address !== null ? address.port : 0 }
    }),
    ({ server }) =>
      Effect.promise(() => {
        server.closeAllConnections()
        return new Promise((done) => server.close(done))
      })
  )

live("a client asks again where the connection broke, only for what may be asked twice", () =>
  Effect.gen(function* () {
    const { asked, port } = yield* stubborn(["break", "end", "refuse"])
    const layer = InternalClient.layer({ url: `http://127.0.0.1:${port}/rpc`, token: Redacted.make(token) })
    yield* Effect.provide(
      Effect.gen(function* () {
        const client = yield* InternalClient
        const account = "acc_1"
        const calls: Record<string, Effect.Effect<void, { readonly _tag: string }>> = {
          Decide: Effect.asVoid(client.Decide({ account, spec, text: "x" })),
          CreateKey: Effect.asVoid(client.CreateKey({ account, name: "x" })),
          DecideMany: Effect.asVoid(Stream.runCollect(client.DecideMany({ account, spec, texts: ["x"] }))),
          GrantCredits: Effect.asVoid(client.GrantCredits({ account, micros: 1, reference: "x" })),
          ListKeys: Effect.asVoid(client.ListKeys({ account }))
        }
        const counts: Record<string, number> = {}
        for (const [name, call] of Object.entries(calls)) {
          const failed = yield* Effect.flip(call)
          expect(failed._tag).toBe("RpcClientError")
          counts[name] = asked.splice(0).filter((tag) => tag === name).length
        }
        expect(counts).toEqual({ Decide: 1, CreateKey: 1, DecideMany: 1, GrantCredits: 5, ListKeys: 5 })
      }),
      layer
    )
  })
)
