import { Args, Command, Options } from "@effect/cli"
import { Effect, Schema } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { accountId, accountOption } from "./account.ts"
import { dollars, json, print } from "./Output.ts"

const Balance = Schema.Struct({ balance_micros: Schema.Int })

const grant = Command.make(
  "grant",
  {
    account: accountOption,
    micros: Args.integer({ name: "micros" }).pipe(Args.withDescription("Micros of a US dollar; 1000000 is one dollar")),
    reference: Options.text("reference").pipe(
      Options.withAlias("r"),
      Options.withDescription("Names the grant: the same reference is credited once, however often it is sent")
    ),
    json
  },
  ({ account, micros, reference, json }) =>
    Effect.gen(function* () {
      const client = yield* InternalClient
      const balance = yield* client.GrantCredits({ account: yield* accountId(account), micros, reference })
      yield* print(json, Balance, balance, ({ balance_micros }) => [{ balance: dollars(balance_micros) }])
    })
).pipe(Command.withDescription("Credit an account"))

export const credit = Command.make("credit").pipe(Command.withDescription("Credits"), Command.withSubcommands([grant]))
