import { Effect, Layer } from "effect"
import { Authorization } from "#schema/Authorization"
import { Door } from "./Door.ts"

/** `Authorization: Bearer <API_KEY>` at every operation of the service's own dialect. */
export const AuthorizationLayer = Layer.effect(
  Authorization,
  Effect.map(Door, ({ knock }) => Authorization.of({ bearer: () => knock }))
)
