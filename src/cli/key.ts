import { Args, Command, Options } from "@effect/cli"
import { Console, Effect, Option, Redacted, Schema } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { KeySummary, NewKey } from "#schema/Key"
import { accountId, accountOption } from "./account.ts"
import { json, print } from "./Output.ts"

const row = ({ id, name, hint, rate_limit, created_at, last_used_at, revoked_at }: KeySummary) => ({
  id,
  name,
  key: hint,
  limit: rate_limit,
  created: created_at,
  "last used": last_used_at,
  revoked: revoked_at
})

const create = Command.make(
  "create",
  {
    account: accountOption,
    name: Args.text({ name: "name" }),
    limit: Options.integer("limit").pipe(Options.withDescription("Requests per minute"), Options.optional),
    json
  },
  ({ account, name, limit, json }) =>
    Effect.gen(function* () {
      const client = yield* InternalClient
      const key = yield* client.CreateKey({
        account: yield* accountId(account),
        name,
        ...Option.match(limit, { onNone: () => ({}), onSome: (rateLimit) => ({ rateLimit }) })
      })
      if (json) return yield* print(json, NewKey, key, () => [])
      yield* Console.log(`${Redacted.value(key.secret)}\n\nThe key is shown once. Its id is ${key.id}.`)
    })
).pipe(Command.withDescription("Create a key and show it, once"))

const list = Command.make("list", { account: accountOption, json }, ({ account, json }) =>
  Effect.gen(function* () {
    const client = yield* InternalClient
    const keys = yield* client.ListKeys({ account: yield* accountId(account) })
    yield* print(json, Schema.Array(KeySummary), keys, (all) => all.map(row))
  })
).pipe(Command.withDescription("List the keys of an account"))

const revoke = Command.make(
  "revoke",
  { account: accountOption, key: Args.text({ name: "key-id" }), json },
  ({ account, key, json }) =>
    Effect.gen(function* () {
      const client = yield* InternalClient
      const revoked = yield* client.RevokeKey({ account: yield* accountId(account), key })
      yield* print(json, KeySummary, revoked, (one) => [row(one)])
    })
).pipe(Command.withDescription("Revoke a key, at once and for good"))

const limit = Command.make(
  "limit",
  {
    account: accountOption,
    key: Args.text({ name: "key-id" }),
    requests: Args.integer({ name: "requests" }).pipe(
      Args.withDescription("Requests per minute; the standard limit where absent"),
      Args.optional
    ),
    json
  },
  ({ account, key, requests, json }) =>
    Effect.gen(function* () {
      const client = yield* InternalClient
      const rateLimit = Option.getOrNull(requests)
      const limited = yield* client.LimitKey({ account: yield* accountId(account), key, rateLimit })
      yield* print(json, KeySummary, limited, (one) => [row(one)])
    })
).pipe(Command.withDescription("Set how many requests per minute a key may send, at once"))

/** `svc key`: makes API keys, whose secret is printed once, lists, limits (requests per minute) and revokes them. */
export const key = Command.make("key").pipe(
  Command.withDescription("API keys"),
  Command.withSubcommands([create, list, limit, revoke])
)
