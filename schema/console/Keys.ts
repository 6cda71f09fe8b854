import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { standard, UnavailableBody } from "../ErrorBodies.ts"
import { request } from "../Field.ts"
import { KeyName, KeyNotFound, KeySummary, TooManyKeys } from "../Key.ts"
import { Name } from "../rpc/Name.ts"
import { SignedIn } from "./Access.ts"
import { TooManyAttemptsBody } from "./Session.ts"

/** Refuses one key more than an account may have. */
export const TooManyKeysBody = standard(TooManyKeys, 409, "too_many_keys", (message) => new TooManyKeys({ message }))
/** The key to revoke is not there, or is revoked already. */
export const KeyNotFoundBody = standard(KeyNotFound, 404, "not_found", (message) => new KeyNotFound({ message }))

/** A key with what it was used for in the last 30 days. */
export const KeyWithUse = Schema.Struct({
  ...KeySummary.fields,
  requests: Schema.Int,
  decisions: Schema.Int
}).annotations({ identifier: "KeyWithUse" })
export type KeyWithUse = typeof KeyWithUse.Type

/** A key just created; `secret` is in no later answer. */
export const CreatedKey = Schema.Struct({ ...KeySummary.fields, secret: Schema.String }).annotations({
  identifier: "CreatedKey"
})
export type CreatedKey = typeof CreatedKey.Type

/** The account's keys. */
export class KeysApi extends HttpApiGroup.make("keys")
  .add(HttpApiEndpoint.get("listKeys", "/keys").addSuccess(Schema.Struct({ keys: Schema.Array(KeyWithUse) })))
  .add(
    HttpApiEndpoint.post("createKey", "/keys")
      .setPayload(request("KeyToCreate", { name: KeyName }))
      .addSuccess(CreatedKey)
      .addError(TooManyKeysBody)
      .addError(TooManyAttemptsBody)
  )
  .add(
    HttpApiEndpoint.del("revokeKey", "/keys/:id")
      .setPath(Schema.Struct({ id: Name }))
      .addSuccess(KeySummary)
      .addError(KeyNotFoundBody)
  )
  .addError(UnavailableBody)
  .middleware(SignedIn) {}
