import { Config, Effect, Layer } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { serviceToken, serviceUrl } from "./Environment.ts"

/** The running service that `SVC_URL` and `SVC_TOKEN` name. */
export const client = Layer.unwrapEffect(
  Effect.map(Config.all({ url: serviceUrl, token: serviceToken }), InternalClient.layer)
)
