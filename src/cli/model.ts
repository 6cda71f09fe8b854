import { Args, Command, Options } from "@effect/cli"
import { Effect, Option, Schema } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { Model, RegisteredModel } from "#schema/Model"
import { accountId, accountOption } from "./account.ts"
import { client } from "./client.ts"
import { fetch } from "./fetch.ts"
import { json, print } from "./Output.ts"

/** For whom a model is: one account, or all. */
const owner = accountOption.pipe(
  Options.map(Option.some),
  Options.orElse(
    Options.boolean("public").pipe(
      Options.withDescription("For every account"),
      Options.filterMap(
        (given) => (given ? Option.some(Option.none<string>()) : Option.none()),
        "Give --account or --public"
      )
    )
  )
)
const ownerId = (given: Option.Option<string>) =>
  Option.match(given, { onNone: () => Effect.succeed(null), onSome: accountId })

const name = Args.text({ name: "name" }).pipe(Args.withDescription("Of the model, which is its folder's in MODELS_DIR"))

const row = ({ name, account, release_date, checksum, registered_at }: RegisteredModel) => ({
  name,
  account: account ?? "everybody",
  released: release_date,
  checksum: checksum.slice(0, 12),
  registered: registered_at
})

const add = Command.make("add", { owner, json, name }, ({ owner, json, name }) =>
  Effect.gen(function* () {
    const client = yield* InternalClient
    const added = yield* client.RegisterModel({ account: yield* ownerId(owner), name })
    yield* print(json, RegisteredModel, added, (one) => [row(one)])
  })
).pipe(
  Command.withDescription(
    "Take a model into service at once, for an account or for all; its folder lies in MODELS_DIR of every instance"
  )
)

const remove = Command.make("remove", { owner, json, name }, ({ owner, json, name }) =>
  Effect.gen(function* () {
    const client = yield* InternalClient
    const removed = yield* client.RemoveModel({ account: yield* ownerId(owner), name })
    yield* print(json, RegisteredModel, removed, (one) => [row(one)])
  })
).pipe(Command.withDescription("Take a model out of service at once; its folder stays"))

const list = Command.make("list", { account: Options.optional(accountOption), json }, ({ account, json }) =>
  Effect.gen(function* () {
    const client = yield* InternalClient
    if (Option.isNone(account))
      return yield* print(json, Schema.Array(RegisteredModel), yield* client.ListRegisteredModels(), (all) =>
        all.map(row)
      )
    const models = yield* client.ListModels({ account: yield* accountId(account.value) })
    yield* print(json, Schema.Array(Model), models, (all) =>
      all.map(({ name, release_date, custom, private: own, description }) => ({
        name,
        released: release_date,
        custom,
        private: own,
        description
      }))
    )
  })
).pipe(Command.withDescription("List the models that an account can name, or those that were added"))

/** `svc model`: takes models into service and out of it, lists them, and fetches them, which alone needs no running service. */
export const model = Command.make("model").pipe(
  Command.withDescription("Models"),
  Command.withSubcommands([
    Command.provide(add, client),
    Command.provide(remove, client),
    Command.provide(list, client),
    fetch
  ])
)
