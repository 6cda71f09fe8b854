import { expect, test } from "bun:test"
import { Effect, Either, Redacted, Stream } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { InternalRpcs } from "#schema/rpc/InternalRpcs"
import { visitor } from "#test/console/visitor"
import { content } from "#test/flows/scene"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"
import { eitherWay, overHttp } from "#test/support/internal"

const token = "0123456789abcdef0123456789abcdef"

const app = testApp({ settings: { internalTokens: [{ name: "test", token: Redacted.make(token) }] } })

const spec = { type: "yes_no", question: "Is it urgent?", cache: false } as const

withLayer(app)("Internal procedures", (it) => {
  eitherWay(app, token, (it, way) => {
    it("make an account and a key, grant credits once, and read usage and ledger", () =>
      Effect.gen(function* () {
        const client = yield* InternalClient
        const service = yield* TestApp
        const email = `${way.replaceAll(" ", "-")}@example.com`
        const password = Redacted.make("a long enough password")
        const account = yield* client.CreateAccount({ email, password })
        expect((yield* Effect.flip(client.CreateAccount({ email, password })))._tag).toBe("EmailTaken")
        const nowhere = yield* Effect.exit(Effect.suspend(() => client.CreateAccount({ email: "nowhere", password })))
        expect(String(nowhere)).toContain("Enter an e-mail address")
        expect((yield* client.FindAccount({ email: email.toUpperCase() })).id).toBe(account.id)
        const grant = { account: account.id, micros: 150, reference: "invoice 1" }
        for (const added of [true, false])
          expect(yield* client.GrantCredits(grant)).toEqual({ balance_micros: 150, credited_micros: 150, added })
        expect((yield* Effect.flip(client.GrantCredits({ ...grant, micros: 151 })))._tag).toBe("ReferenceTaken")

        const key = yield* client.CreateKey({ account: account.id, name: "server", rateLimit: 5 })
        const secret = Redacted.value(key.secret)
        const body = { text: "so urgent", type: "yes_no", question: "Is it urgent?" }
        expect((yield* service.send("POST", "/v1/decide", { key: secret, body })).status).toBe(200)
        yield* client.LimitKey({ account: account.id, key: key.id, rateLimit: 1 })
        expect((yield* service.send("POST", "/v1/decide", { key: secret, body })).status).toBe(429)
        yield* client.RevokeKey({ account: account.id, key: key.id })
        expect((yield* service.send("POST", "/v1/decide", { key: secret, body })).status).toBe(401)
        expect((yield* Effect.flip(client.RevokeKey({ account: account.id, key: key.id })))._tag).toBe("KeyNotFound")
        expect((yield* client.ListKeys({ account: account.id })).map(({ hint }) => hint)).toEqual([
          `svc_…${secret.slice(-4)}`
        ])

        const usage = yield* client.ReadUsage({ account: account.id, days: 1 })
        expect(usage.balance.micros).toBe(135)
        const entries = yield* client.ReadLedger({ account: account.id })
        expect(entries.map(({ kind, micros }) => [kind, micros])).toEqual([
          ["charge", -15],
          ["credit", 150]
        ])
      }))

    it("replace a lost password, by the rule of the console, and end the sessions of the account", () =>
      Effect.gen(function* () {
        const client = yield* InternalClient
        const { accountId: account, email, password, send } = yield* visitor
        const next = "another good password"
        const set = (account: string, to: string) => client.SetPassword({ account, password: Redacted.make(to) })
        expect(yield* set(account, next)).toMatchObject({ id: account, email })
        expect((yield* send("GET", "/keys")).status).toBe(401)
        expect((yield* send("POST", "/session", { email, password })).status).toBe(400)
        expect((yield* send("POST", "/session", { email, password: next })).status).toBe(200)
        expect((yield* Effect.flip(set("acc_nobody", next)))._tag).toBe("AccountNotFound")
        for (const [wrong, words] of [
          ["secret123", "A password has at least 10 characters"],
          ["secret".repeat(34), "at most 200 characters"]
        ] as const) {
          const refused = String(yield* Effect.exit(Effect.suspend(() => set(account, wrong))))
          expect(refused).toContain(words)
          expect(refused).not.toContain(wrong)
        }
        expect((yield* send("GET", "/keys")).status).toBe(200)
      }))

    it("tell an account that is not there from one that has nothing", () =>
      Effect.gen(function* () {
        const client = yield* InternalClient
        const account = "acc_nobody"
        for (const list of [
          client.ListKeys({ account }),
          client.ListModels({ account }),
          client.ListFlows({ account }),
          client.ListDrafts({ account }),
          client.ReadLedger({ account })
        ])
          expect((yield* Effect.flip<unknown, { readonly _tag: string }, never>(list))._tag).toBe("AccountNotFound")
      }))

    it("refuse what is larger than can be kept, before the database does", () =>
      Effect.gen(function* () {
        const client = yield* InternalClient
        const { accountId: account, keyId: key } = yield* (yield* TestApp).customer()
        const rateLimit = 3_000_000_000
        const large = [
          [() => client.CreateKey({ account, name: "endless", rateLimit }), "between 1 and 1000000"],
          [() => client.LimitKey({ account, key, rateLimit }), "between 1 and 1000000"],
          [() => client.GrantCredits({ account, micros: 1, reference: "r".repeat(201) }), "at most 200 character"],
          [() => client.GrantCredits({ account, micros: Number.MAX_SAFE_INTEGER, reference: "r" }), "at most $100,000"],
          [() => client.ReadLedger({ account, before: "9".repeat(19) }), "matching the pattern"]
        ] as const
        for (const [call, words] of large)
          expect(String(yield* Effect.exit(Effect.suspend<unknown, unknown, never>(call)))).toContain(words)
      }))

    it("decide, answer sets, moderate and run, at the price of /v1", () =>
      Effect.gen(function* () {
        const client = yield* InternalClient
        const service = yield* TestApp
        const { accountId: account } = yield* service.customer({ decisions: 20 })
        expect(yield* client.Decide({ account, spec, text: "urgent" })).toMatchObject({
          decision: true,
          probability: 0.9
        })
        const set = yield* client.AnswerSet({
          account,
          request: {
            state: { a: 1 },
            model: "svc-auto",
            questions: [["q", { type: "noul", instructions: "Is it red?" }]]
          }
        })
        expect(set.answers.q).toEqual({ type: "noul", noul: 0.1, confidence: 0.8 })
        const [moderated] = yield* client.Moderate({ account, texts: ["hello"] })
        expect(Object.keys(moderated?.category_scores ?? {})).toHaveLength(13)
        expect(yield* service.balance(account)).toEqual({ balance: 10 * 15, reserved: 0 })
        expect((yield* Effect.flip(client.RunFlow({ account, slug: "nothing", text: "x" })))._tag).toBe("FlowNotFound")
        expect((yield* Effect.flip(client.Decide({ account: "acc_nobody", spec, text: "x" })))._tag).toBe(
          "AccountNotFound"
        )
        const invalid = yield* Effect.flip(client.Decide({ account, spec: { ...spec, model: "gpt-9" }, text: "x" }))
        expect(invalid).toMatchObject({ _tag: "InvalidRequest", detail: [{ loc: ["body", "model"] }] })
      }))

    it("charge nothing for what is marked internal, and nothing goes beyond the balance", () =>
      Effect.gen(function* () {
        const client = yield* InternalClient
        const service = yield* TestApp
        const { accountId: account } = yield* service.customer({ decisions: 0 })
        expect((yield* client.Decide({ account, billing: "internal", spec, text: "urgent" })).decision).toBe(true)
        expect((yield* Effect.flip(client.Decide({ account, spec, text: "urgent" })))._tag).toBe("InsufficientCredits")
      }))

    it("stream many decisions, each with its place, and stop charging when the balance ends", () =>
      Effect.gen(function* () {
        const client = yield* InternalClient
        const service = yield* TestApp
        const { accountId: account } = yield* service.customer({ decisions: 30 })
        const texts = Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? `urgent ${i}` : `calm ${i}`))
        const decided = [...(yield* Stream.runCollect(client.DecideMany({ account, spec, texts })))]
        expect(decided.map(({ index }) => index).sort((a, b) => a - b)).toEqual(texts.map((_, i) => i))
        for (const { index, outcome } of decided) expect(Either.getOrThrow(outcome).decision).toBe(index % 2 === 0)
        expect(yield* service.balance(account)).toEqual({ balance: 0, reserved: 0 })
        const broke = yield* Effect.flip(Stream.runCollect(client.DecideMany({ account, spec, texts })))
        expect(broke._tag).toBe("InsufficientCredits")
      }))

    it("save, publish and run a flow, at the price of the questions on its path", () =>
      Effect.gen(function* () {
        const client = yield* InternalClient
        const service = yield* TestApp
        const { accountId: account } = yield* service.customer({ decisions: 10 })
        const { id, revision } = yield* client.CreateFlow({ account, slug: "front-door", content })
        expect((yield* Effect.flip(client.CreateFlow({ account, slug: "front-door", content })))._tag).toBe("SlugTaken")
        const nobody = { account: "acc_nobody", slug: "front-door", content }
        expect((yield* Effect.flip(client.CreateFlow(nobody)))._tag).toBe("AccountNotFound")
        const ahead = { account, id, revision: 3_000_000_000, content }
        expect((yield* Effect.flip(client.SaveFlow(ahead)))._tag).toBe("FlowConflict")
        const unreachable = yield* Effect.exit(
          Effect.suspend(() => client.CreateFlow({ account, slug: "../front door", content }))
        )
        expect(String(unreachable)).toContain("use small letters, digits and single dashes")
        const changed = { ...content, name: "Back door", definition: { ...content.definition, edges: [] } }
        const saved = yield* client.SaveFlow({ account, id, revision, content: changed })
        expect((yield* Effect.flip(client.SaveFlow({ account, id, revision, content })))._tag).toBe("FlowConflict")
        const faulty = yield* Effect.flip(client.PublishFlow({ account, id, revision: saved.revision }))
        expect(faulty).toMatchObject({ _tag: "FlowInvalid", faults: expect.arrayContaining([expect.anything()]) })
        expect((yield* client.GetDraft({ account, id })).name).toBe("Back door")
        const whole = yield* client.SaveFlow({ account, id, revision: saved.revision, content })
        expect((yield* client.PublishFlow({ account, id, revision: whole.revision })).version).toBe(1)
        expect(
          (yield* client.ListDrafts({ account })).map(({ slug, published_version }) => [slug, published_version])
        ).toEqual([["front-door", 1]])
        expect((yield* client.GetFlow({ account, slug: "front-door" })).definition).toEqual(content.definition)
        const run = yield* client.RunFlow({ account, slug: "front-door", text: "about billing" })
        expect([run.outcome, run.usage.decisions]).toEqual(["billing", 2])
        const { balance_micros, reserved_micros } = yield* client.GetAccount({ account })
        expect([balance_micros, reserved_micros]).toEqual([8 * 15, 0])

        const { accountId: other } = yield* service.customer({ decisions: 10 })
        expect((yield* Effect.flip(client.GetDraft({ account: other, id })))._tag).toBe("FlowNotFound")
        expect((yield* Effect.flip(client.RunFlow({ account: other, slug: "front-door", text: "x" })))._tag).toBe(
          "FlowNotFound"
        )
      }))

    it("list what an account can name", () =>
      Effect.gen(function* () {
        const client = yield* InternalClient
        const service = yield* TestApp
        const { accountId: account } = yield* service.customer()
        expect(yield* client.ListTemplates()).toHaveLength(9)
        expect((yield* client.ListModels({ account })).map(({ name: model }) => model)).toContain("svc-auto")
        expect(yield* client.ListFlows({ account })).toEqual([])
        expect((yield* Effect.flip(client.GetFlow({ account, slug: "none" })))._tag).toBe("FlowNotFound")
      }))
  })

  it("are closed to a service token that is wrong or missing", () =>
    Effect.gen(function* () {
      for (const wrong of ["", "wrong", `${token}x`]) {
        const failure = yield* InternalClient.pipe(
          Effect.flatMap((client) => Effect.flip(client.ListTemplates())),
          Effect.provide(overHttp(wrong))
        )
        expect(failure._tag).toBe("WrongToken")
      }
    }))
})

test("every procedure is called by a test, in this process and over HTTP", async () => {
  const files = [...new Bun.Glob("*.test.ts").scanSync(import.meta.dir)]
  const texts = await Promise.all(files.map((file) => Bun.file(`${import.meta.dir}/${file}`).text()))
  const both = texts.filter((text) => /eitherWay\(|\["in this process", /.test(text)).join()
  expect([...InternalRpcs.requests.keys()].filter((name) => !both.includes(`client.${name}(`))).toEqual([])
})
