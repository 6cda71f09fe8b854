import { Config, Effect, Layer } from "effect"
import { InternalClient } from "#schema/InternalClient"

/** The running service that `SVC_URL` and `SVC_TOKEN` name. */
export const client = Layer.unwrapEffect(
  Effect.map(
    Config.all({
      url: Config.string("SVC_URL").pipe(Config.withDefault("http://localhost:8080/rpc")),
      token: Config.redacted("SVC_TOKEN")
    }),
    InternalClient.layer
  )
)
