import { BlockList } from "node:net"
import { HttpServer } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { SqlClient } from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { Customers, Features } from "#src/App"
import { Accounts } from "#src/accounts/Accounts"
import { Passwords } from "#src/accounts/Passwords"
import { Ledger } from "#src/billing/Ledger"
import { randomId } from "#src/database/id"
import { Server } from "#src/http/Server"
import { Inference } from "#src/inference/Inference"
import type { Question } from "#src/inference/Question"
import { Keys } from "#src/keys/Keys"
import { Language } from "#src/language/Language"
import { Models } from "#src/models/Models"
import { Settings } from "#src/Settings"
import { DatabaseInMemory } from "./database.ts"

/** Settings of a service under test: a free port, nothing on disk. */
export const settings: typeof Settings.Service = {
  port: 0,
  dataDir: "/nonexistent",
  databaseUrl: Option.none(),
  modelsDir: new URL("../../models", import.meta.url).pathname,
  workers: 1,
  queueLimit: 64,
  runSeconds: 10,
  priceMicros: 15,
  startingMicros: 1_000_000,
  rateLimit: 600,
  keyPepper: Option.some(Redacted.make("pepper of the tests")),
  cacheEntries: 1_000,
  cacheSeconds: 600,
  bodySeconds: 5,
  drainSeconds: 5,
  signUp: true,
  internalTokens: [],
  rpcPort: Option.none(),
  operatorEmails: new Set(),
  trustedProxies: new BlockList(),
  logFormat: "pretty"
}

/** Prefers the first option that occurs in the text, by name; yes when the text holds the question's last word. */
export const plainReading = (state: string, question: Question, option: number): number => {
  const text = state.toLowerCase()
  if (question.type === "noul") {
    const word =
      question.wording
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu)
        ?.at(-1) ?? ""
    return text.includes(word) === (question.options[option]?.name === "yes") ? 9 : 1
  }
  const name = question.options[option]?.name.toLowerCase() ?? ""
  return text.includes(name) ? 9 : 1
}

/** What a customer has: an account and a key. */
export interface Customer {
  readonly accountId: string
  readonly keyId: string
  readonly key: string
}

/** What the service answers; `body` is what `text` says, where that is JSON. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any
}

/** The running service as a caller sees it, and what a test needs to set the scene. */
export class TestApp extends Context.Tag("test/App")<
  TestApp,
  {
    readonly base: string
    /** A new account with a key; `decisions` is what its balance covers. */
    readonly customer: (options?: {
      readonly decisions?: number
      readonly rateLimit?: number
    }) => Effect.Effect<Customer>
    /** Micros that are there, and of them those held for running requests. */
    readonly balance: (accountId: string) => Effect.Effect<{ readonly balance: number; readonly reserved: number }>
    /** Lets a key's open window have begun earlier by some seconds: the database's clock cannot be moved. */
    readonly ageWindow: (keyId: string, seconds: number) => Effect.Effect<void>
    readonly send: (
      method: string,
      path: string,
      options?: {
        readonly key?: string
        readonly body?: unknown
        readonly headers?: Record<string, string>
        readonly raw?: string | Uint8Array<ArrayBuffer>
      }
    ) => Effect.Effect<Reply>
  }
>() {
  static readonly layer = Layer.effect(
    TestApp,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const keys = yield* Keys
      const ledger = yield* Ledger
      const sql = yield* SqlClient
      const base = yield* HttpServer.addressFormattedWith((address) =>
        Effect.succeed(address.replace("0.0.0.0", "127.0.0.1"))
      )
      return TestApp.of({
        base,
        customer: ({ decisions = 1000, rateLimit } = {}) =>
          Effect.gen(function* () {
            const account = { id: `acc_${randomId()}` }
            // Straight into the table: hashing a password that nobody uses takes longer than most tests.
            yield* sql`insert into accounts (id, email, password_hash) values (${account.id}, ${`${account.id}@example.com`}, '')`
            if (decisions > 0) yield* ledger.credit(account.id, decisions * settings.priceMicros, "test")
            const key = yield* keys.create(account.id, "test", rateLimit === undefined ? {} : { rateLimit })
            return { accountId: account.id, keyId: key.id, key: Redacted.value(key.secret) }
          }).pipe(Effect.orDie),
        balance: (accountId) =>
          accounts.get(accountId).pipe(
            Effect.map((account) => ({ balance: account.balance_micros, reserved: account.reserved_micros })),
            Effect.orDie
          ),
        ageWindow: (keyId, seconds) =>
          sql`update keys set window_opened_at = window_opened_at - make_interval(secs => ${seconds}) where id = ${keyId}`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        send: (method, path, { key, body, headers, raw } = {}) =>
          Effect.promise(async () => {
            const response = await fetch(base + path, {
              method,
              headers: {
                ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
                ...(body === undefined ? {} : { "content-type": "application/json" }),
                ...headers
              },
              ...(raw !== undefined ? { body: raw } : body !== undefined ? { body: JSON.stringify(body) } : {})
            })
            const text = await response.text()
            const json = response.headers.get("content-type")?.includes("json") === true
            return {
              status: response.status,
              headers: response.headers,
              text,
              body: json && text !== "" ? JSON.parse(text) : text
            }
          })
      })
    })
  )
}

interface Options {
  readonly settings?: Partial<typeof Settings.Service>
  readonly inference?: Layer.Layer<Inference, never, Models | Settings>
  readonly database?: Layer.Layer<SqlClient, unknown>
}

/**
 * The whole service on a free port: an empty database in memory, and answers from a function in place of a model.
 * Accounts start with nothing; `customer` credits them.
 */
export const testApp = (options: Options = {}) =>
  TestApp.layer.pipe(
    Layer.provideMerge(Server),
    Layer.provideMerge(Features),
    Layer.provideMerge(Customers),
    Layer.provideMerge(options.inference ?? Inference.layerTest(plainReading)),
    Layer.provideMerge(Models.layer),
    Layer.provideMerge(Language.layer),
    Layer.provideMerge(Passwords.layerWith({ memoryCost: 8, timeCost: 1 })),
    Layer.provideMerge(Layer.orDie(options.database ?? DatabaseInMemory)),
    Layer.provideMerge(Layer.succeed(Settings, { ...settings, startingMicros: 0, ...options.settings })),
    Layer.provideMerge(BunContext.layer)
  )
