import { expect } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Redacted, Stream } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { content } from "#test/flows/scene"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"
import { eitherWay, overHttp } from "#test/support/internal"

const token = "0123456789abcdef0123456789abcdef"
const app = testApp({ settings: { internalTokens: [{ name: "test", token: Redacted.make(token) }] } })

const spec = { type: "yes_no", question: "Is it urgent?", cache: false } as const
const request = { state: "x", model: "svc-auto", questions: [["q", { type: "noul" }]] } as const

/** U+0000, and the halves of a surrogate pair. */
const unknown = ["\u0000", "\ud83d", "\ude00"]

const tagOf = <A, E extends { readonly _tag: string }, R>(call: Effect.Effect<A, E, R>) =>
  Effect.match(call, { onFailure: ({ _tag }) => _tag, onSuccess: () => "Success" })

withLayer(app)("Characters that PostgreSQL does not know", (it) => {
  eitherWay(app, token, (it) => {
    it("fail the call that names an account or a flow by them, and none beside it", () =>
      Effect.gen(function* () {
        const client = yield* InternalClient
        const service = yield* TestApp
        const sql = yield* SqlClient
        const { accountId: mine } = yield* service.customer({ decisions: 10 })
        const { accountId: other } = yield* service.customer({ decisions: 100 })
        const bad = unknown.flatMap((character) => {
          const account = `${mine}${character}`
          const slug = `a${character}`
          return [
            [client.Decide({ account, spec, text: "x" }), "AccountNotFound"],
            [client.Decide({ account, billing: "internal", spec, text: "x" }), "AccountNotFound"],
            [Stream.runDrain(client.DecideMany({ account, spec, texts: ["x", "y"] })), "AccountNotFound"],
            [client.AnswerSet({ account, request }), "AccountNotFound"],
            [client.Moderate({ account, texts: ["x"] }), "AccountNotFound"],
            [client.RunFlow({ account, slug: "a", text: "x" }), "AccountNotFound"],
            [client.RunFlow({ account, slug, text: "x" }), "AccountNotFound"],
            [client.RunFlow({ account: mine, slug, text: "x" }), "FlowNotFound"],
            [client.RunFlow({ account: mine, billing: "internal", slug, text: "x" }), "FlowNotFound"]
          ] as const
        })
        const good = Effect.replicate(client.Decide({ account: other, spec, text: "urgent" }), bad.length)
        const [refused, answered] = yield* Effect.all(
          [
            Effect.forEach(bad, ([call]) => tagOf<unknown, { readonly _tag: string }, never>(call), {
              concurrency: "unbounded"
            }),
            Effect.forEach(good, tagOf, { concurrency: "unbounded" })
          ],
          { concurrency: "unbounded" }
        )
        expect(refused).toEqual(bad.map(([, tag]) => tag))
        expect(answered).toEqual(good.map(() => "Success"))
        expect(yield* service.balance(mine)).toEqual({ balance: 10 * 15, reserved: 0 })
        expect(yield* service.balance(other)).toEqual({ balance: (100 - good.length) * 15, reserved: 0 })
        expect(yield* sql`select 1 from reservations where not charged`).toEqual([])
      }))
  })

  it("name nothing", () =>
    Effect.gen(function* () {
      const client = yield* InternalClient
      const { accountId: mine, keyId } = yield* (yield* TestApp).customer()
      const flow = yield* client.CreateFlow({ account: mine, slug: "front-door", content })
      for (const character of unknown) {
        const account = `${mine}${character}`
        const key = `${keyId}${character}`
        const based = { account: mine, id: `${flow.id}${character}`, revision: flow.revision }
        const got = {
          account: yield* tagOf(client.GetAccount({ account })),
          address: yield* tagOf(client.FindAccount({ email: `${mine}@example.com${character}` })),
          newKey: yield* tagOf(client.CreateKey({ account, name: "k" })),
          revoked: yield* tagOf(client.RevokeKey({ account: mine, key })),
          limited: yield* tagOf(client.LimitKey({ account: mine, key, rateLimit: 1 })),
          credited: yield* tagOf(client.GrantCredits({ account, micros: 1, reference: "r" })),
          usage: yield* tagOf(client.ReadUsage({ account, days: 1 })),
          owner: yield* tagOf(client.RegisterModel({ account, name: "m" })),
          model: yield* tagOf(client.RegisterModel({ account: null, name: `m${character}` })),
          removed: yield* tagOf(client.RemoveModel({ account: null, name: `m${character}` })),
          draft: yield* tagOf(client.GetDraft(based)),
          saved: yield* tagOf(client.SaveFlow({ ...based, content })),
          published: yield* tagOf(client.PublishFlow(based)),
          flow: yield* tagOf(client.GetFlow({ account: mine, slug: `front-door${character}` })),
          flowOf: yield* tagOf(client.GetFlow({ account, slug: "front-door" })),
          keys: yield* tagOf(client.ListKeys({ account })),
          entries: yield* tagOf(client.ReadLedger({ account })),
          drafts: yield* tagOf(client.ListDrafts({ account })),
          flows: yield* tagOf(client.ListFlows({ account })),
          models: yield* tagOf(client.ListModels({ account }))
        }
        expect(got).toEqual({
          account: "AccountNotFound",
          address: "AccountNotFound",
          newKey: "AccountNotFound",
          revoked: "KeyNotFound",
          limited: "KeyNotFound",
          credited: "AccountNotFound",
          usage: "AccountNotFound",
          owner: "AccountNotFound",
          model: "ModelInvalid",
          removed: "ModelNotFound",
          draft: "FlowNotFound",
          saved: "FlowNotFound",
          published: "FlowNotFound",
          flow: "FlowNotFound",
          flowOf: "FlowNotFound",
          keys: "AccountNotFound",
          entries: "AccountNotFound",
          drafts: "AccountNotFound",
          flows: "AccountNotFound",
          models: "AccountNotFound"
        })
      }
      expect((yield* client.ListKeys({ account: mine })).map(({ revoked_at }) => revoked_at)).toEqual([null])
    }).pipe(Effect.provide(overHttp(token))))

  it("are refused in what is to be kept", () =>
    Effect.gen(function* () {
      const { balance, customer, send } = yield* TestApp
      const { accountId: account } = yield* customer({ decisions: 0 })
      const asked = (tag: string, payload: object) =>
        send("POST", "/rpc", {
          key: token,
          raw: `${JSON.stringify({ _tag: "Request", id: "1", tag, payload, headers: [] })}\n`
        }).pipe(Effect.map(({ body }) => JSON.stringify(body)))
      for (const character of unknown)
        for (const [tag, payload] of [
          ["CreateAccount", { email: `a${character}@example.com`, password: "long enough a password" }],
          ["CreateKey", { account, name: `k${character}` }],
          ["GrantCredits", { account, micros: 15, reference: `r${character}` }],
          ["ReadLedger", { account, before: `1${character}` }]
        ] as const) {
          const said = yield* asked(tag, payload)
          expect(said).toContain("Failure")
          expect(said).not.toContain("Unavailable")
        }
      expect(yield* balance(account)).toEqual({ balance: 0, reserved: 0 })
    }))
})
