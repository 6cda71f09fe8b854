import { Command } from "@effect/cli"
import { Effect, Schema } from "effect"
import { InternalClient, repeatable } from "#schema/InternalClient"
import { Model } from "#schema/Model"
import { accountId, accountOption } from "./account.ts"
import { json, print } from "./Output.ts"

const list = Command.make("list", { account: accountOption, json }, ({ account, json }) =>
  Effect.gen(function* () {
    const client = yield* InternalClient
    const models = yield* repeatable(client.ListModels({ account: yield* accountId(account) }))
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
).pipe(Command.withDescription("List the models that an account can name"))

export const model = Command.make("model").pipe(Command.withDescription("Models"), Command.withSubcommands([list]))
