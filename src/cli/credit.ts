import { Args, Command, Options } from "@effect/cli"
import { Effect } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { Credited, dollars } from "#schema/Ledger"
import { accountId, accountOption } from "./account.ts"
import { json, print } from "./Output.ts"

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
      const credited = yield* client.GrantCredits({ account: yield* accountId(account), micros, reference })
      yield* print(json, Credited, credited, ({ added, balance_micros, credited_micros }) => [
        {
          ...(added
            ? { credited: dollars(credited_micros) }
            : { credited: "nothing", "under this reference before": dollars(credited_micros) }),
          balance: dollars(balance_micros)
        }
      ])
    })
).pipe(Command.withDescription("Credit an account"))

/** `svc credit`: grants an account micros of a US dollar, once under each reference. */
export const credit = Command.make("credit").pipe(Command.withDescription("Credits"), Command.withSubcommands([grant]))
