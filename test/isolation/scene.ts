import { SqlClient } from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Schema } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { randomId } from "#src/database/id"
import { Settings } from "#src/Settings"
import { visitor } from "#test/console/visitor"
import { content } from "#test/flows/scene"
import { type Reply, TestApp } from "#test/support/app"
import { placeTiny } from "#test/support/models"

/** What can be named of an account. */
export interface Ids {
  readonly account: string
  readonly email: string
  readonly password: string
  readonly key: string
  readonly flow: string
  readonly slug: string
  readonly model: string
  /** An entry of the ledger. */
  readonly entry: string
}

/** Somebody with an account, a key and a session. */
export interface Person {
  readonly account: string
  readonly withKey: (method: string, path: string, body?: unknown) => Effect.Effect<Reply>
  readonly withSession: (method: string, path: string, body?: unknown) => Effect.Effect<Reply>
}

const person = Effect.gen(function* () {
  const app = yield* TestApp
  const client = yield* InternalClient
  const { accountId: account, email, password, send } = yield* visitor
  yield* client.GrantCredits({ account, micros: 15_000, reference: `invoice of ${account}` })
  const key = (yield* send("POST", "/keys", { name: `key of ${account}` })).body
  const withKey = (method: string, path: string, body?: unknown) =>
    app.send(method, path, { key: key.secret, ...(body === undefined ? {} : { body }) })
  return { account, email, password, key: String(key.id), withKey, withSession: send }
})

/** One who owns something of everything, and another who tries to get at it. */
export interface Scene {
  readonly owner: Person
  readonly other: Person
  /** What is the owner's, with the owner's password, or with a wrong one. */
  readonly ids: Ids
  readonly guessed: Ids
  /** Names of the same form that nobody has. */
  readonly nobodys: Ids
  /** Words that only the owner may read. */
  readonly marks: ReadonlyArray<string>
  /** The newest revision of the owner's flow. */
  readonly revision: Effect.Effect<number>
  /** Every row of the database that belongs to the owner. */
  readonly rows: Effect.Effect<unknown>
}

const scene = (model: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const client = yield* InternalClient
    const { modelsDir } = yield* Settings
    const owner = yield* person
    const { account, email, password, key } = owner
    const secret = `Front door of ${account}`
    const slug = "owners-flow"
    const flow = (yield* owner.withSession("POST", "/flows", { slug, content: { ...content, name: secret } })).body
    yield* owner.withSession("POST", `/flows/${flow.id}/publish`, { revision: flow.revision })
    yield* placeTiny(modelsDir, { name: model })
    yield* client.RegisterModel({ account, name: model })
    yield* owner.withKey("POST", "/v1/decide", { template: "spam", text: "x", model })
    const [entry] = yield* client.ReadLedger({ account })
    const ids = { account, email, password, key, flow: String(flow.id), slug, model, entry: entry?.id ?? "" }

    // What is held for running requests goes by itself.
    const tables = yield* sql<{ name: string }>`
      select table_name as name from information_schema.columns
      where column_name = 'account_id' and table_schema = 'public' and table_name <> 'reservations'`
    const rows = Effect.forEach(
      tables,
      ({ name }) =>
        sql`select to_jsonb(t) as row from ${sql(name)} t where account_id = ${account} order by to_jsonb(t)::text`
    )
    const made: Scene = {
      owner,
      other: yield* person,
      ids,
      guessed: { ...ids, password: "not the password" },
      nobodys: {
        account: `acc_${randomId()}`,
        email: `${randomId()}@example.com`,
        password: "not the password",
        key: `key_${randomId()}`,
        flow: `flow_${randomId()}`,
        slug: "nobodys-flow",
        model: "nobodys-model",
        entry: "1"
      },
      marks: [account, email, key, secret, `key of ${account}`, `invoice of ${account}`, ids.flow],
      revision: Effect.map(
        Effect.suspend(() => owner.withSession("GET", `/flows/${flow.id}`)),
        ({ body }) => Schema.decodeUnknownSync(Schema.Int)(body.draft?.revision ?? 0)
      ),
      rows: Effect.orDie(rows)
    }
    return made
  })

/** A scene for each way in. */
export class Scenes extends Context.Tag("test/isolation/Scenes")<
  Scenes,
  { readonly http: Scene; readonly rpc: Scene }
>() {
  static readonly layer = Layer.effect(
    Scenes,
    Effect.all({ http: scene("owners-model"), rpc: scene("insiders-model") })
  )
}

/** An answer without what differs from call to call, and with the names that were asked for left out. */
export const masked = (answer: unknown, ids: Ids) =>
  Object.entries({ ...ids, entry: "" })
    .filter(([, id]) => id !== "")
    .reduce((text, [name, id]) => text.replaceAll(id, `<${name}>`), JSON.stringify(answer))
    .replaceAll(/req_\w+/g, "<request>")
    .replaceAll(/"latency_ms":[\d.]+/g, "")
