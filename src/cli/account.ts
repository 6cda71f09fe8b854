import { Args, Command, Options } from "@effect/cli"
import { Effect } from "effect"
import { Account } from "#schema/Account"
import { InternalClient } from "#schema/InternalClient"
import { dollars } from "#schema/Ledger"
import * as Environment from "./Environment.ts"
import { json, print } from "./Output.ts"

/** An account, by its id or its e-mail address. */
export const accountOption = Options.text("account").pipe(
  Options.withAlias("a"),
  Options.withDescription("The account: its id (acc_…) or its e-mail address")
)

/** The id of an account that is given by id or e-mail address. */
export const accountId = (given: string) =>
  given.includes("@")
    ? Effect.flatMap(InternalClient, (client) => Effect.map(client.FindAccount({ email: given }), ({ id }) => id))
    : Effect.succeed(given)

const row = ({ id, email, plan, balance_micros, created_at }: Account) => ({
  id,
  email,
  plan,
  balance: dollars(balance_micros),
  created: created_at
})

const email = Args.text({ name: "email" })

// What stands on a command line, every process of the machine can read.
const password = Options.redacted("password").pipe(
  Options.withDescription("10 to 200 characters; better in SVC_PASSWORD, which no list of processes shows"),
  Options.withFallbackConfig(Environment.password)
)

const create = Command.make("create", { email, password, json }, ({ email, password, json }) =>
  Effect.gen(function* () {
    const client = yield* InternalClient
    yield* print(json, Account, yield* client.CreateAccount({ email, password }), (account) => [row(account)])
  })
).pipe(Command.withDescription("Make an account with its starting credit"))

const setPassword = Command.make("password", { email, password, json }, ({ email, password, json }) =>
  Effect.gen(function* () {
    const client = yield* InternalClient
    const { id } = yield* client.FindAccount({ email })
    yield* print(json, Account, yield* client.SetPassword({ account: id, password }), (account) => [row(account)])
  })
).pipe(Command.withDescription("Give an account whose password is lost another one, and end all its console sessions"))

const show = Command.make("show", { account: accountOption, json }, ({ account, json }) =>
  Effect.gen(function* () {
    const client = yield* InternalClient
    const found = yield* client.GetAccount({ account: yield* accountId(account) })
    yield* print(json, Account, found, (one) => [row(one)])
  })
).pipe(Command.withDescription("Show an account and its balance"))

/** `svc account`: makes accounts, shows them with their balance in US dollars, and replaces lost passwords. */
export const account = Command.make("account").pipe(
  Command.withDescription("Accounts"),
  Command.withSubcommands([create, show, setPassword])
)
