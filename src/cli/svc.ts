import { CliConfig, Command } from "@effect/cli"
import { Console, Effect } from "effect"
import { account } from "./account.ts"
import { client } from "./client.ts"
import { credit } from "./credit.ts"
import { decide } from "./decide.ts"
import { failure } from "./failure.ts"
import { flow } from "./flow.ts"
import { key } from "./key.ts"
import { model } from "./model.ts"
import { usage } from "./usage.ts"

const command = Command.make("svc").pipe(
  Command.withDescription(
    'Looks after a running service. SVC_TOKEN is a token of its INTERNAL_TOKEN, the part after "name:", SVC_URL its RPC address (http://localhost:8080/rpc). Ends with 0 when all is done, with 1 when something failed, with 2 when a command is not understood.'
  ),
  Command.withSubcommands([
    Command.provide(account, client),
    Command.provide(key, client),
    Command.provide(credit, client),
    Command.provide(usage, client),
    model,
    Command.provide(flow, client),
    Command.provide(decide, client)
  ])
)

/** Runs the command line of `svc`, and says on the console why it failed. */
export const svc = (line: ReadonlyArray<string>) =>
  Command.run(command, { name: "svc", version: "1.0.0" })(line).pipe(
    Effect.tapErrorCause((cause) => Console.error(failure(cause).message)),
    Effect.provide(CliConfig.layer({ showBuiltIns: false }))
  )
