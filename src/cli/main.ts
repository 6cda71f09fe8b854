import { Command } from "@effect/cli"
import { BunContext, BunRuntime } from "@effect/platform-bun"
import { Config, Console, Effect, Layer } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { account } from "./account.ts"
import { credit } from "./credit.ts"
import { decide } from "./decide.ts"
import { failure } from "./failure.ts"
import { flow } from "./flow.ts"
import { key } from "./key.ts"
import { model } from "./model.ts"
import { usage } from "./usage.ts"

const client = Layer.unwrapEffect(
  Effect.map(
    Config.all({
      url: Config.string("SVC_URL").pipe(Config.withDefault("http://localhost:8080/rpc")),
      token: Config.redacted("SVC_TOKEN")
    }),
    InternalClient.layer
  )
)

const svc = Command.make("svc").pipe(
  Command.withDescription(
    "Looks after a running service. SVC_TOKEN is one of its INTERNAL_TOKENs, SVC_URL its RPC address (http://localhost:8080/rpc)."
  ),
  Command.withSubcommands([account, key, credit, usage, model, flow, decide]),
  Command.provide(client)
)

Command.run(svc, { name: "svc", version: "1.0.0" })(process.argv).pipe(
  Effect.catchAll((error) =>
    Effect.zipRight(
      Console.error(failure(error)),
      Effect.sync(() => (process.exitCode = 1))
    )
  ),
  Effect.provide(BunContext.layer),
  BunRuntime.runMain({ disableErrorReporting: true, teardown: (_, end) => end(Number(process.exitCode ?? 0)) })
)
