import { Effect, Layer } from "effect"
import { Authorization } from "#schema/Authorization"
import { OpenAiAuthorization } from "#schema/Moderation"
import { Door } from "./Door.ts"

/** `Authorization: Bearer <API_KEY>` at every operation of the service's own dialect. */
export const AuthorizationLayer = Layer.effect(
  Authorization,
  Effect.map(Door, ({ knock }) => Authorization.of({ bearer: () => knock }))
)

/** The same in front of what OpenAI's clients call. */
export const OpenAiAuthorizationLayer = Layer.effect(
  OpenAiAuthorization,
  Effect.map(Door, ({ knock }) => OpenAiAuthorization.of({ bearer: () => knock }))
)
