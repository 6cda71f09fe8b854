import { Schema } from "effect"
import { text } from "./Field.ts"

/** What its owner calls a key. */
export const KeyName = text(100).pipe(
  Schema.filter((name) => name.trim() !== "", { message: () => "string_too_short: Give the key a name" }),
  Schema.filter((name) => !/\p{Cc}/u.test(name), {
    message: () => "value_error: Give the key a name without control characters"
  })
)

/** An API key as it is listed; the secret itself is shown once, when it is created. */
export const KeySummary = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  /** What tells it apart: the prefix and the last four characters. */
  hint: Schema.String,
  rate_limit: Schema.NullOr(Schema.Int),
  created_at: Schema.String,
  last_used_at: Schema.NullOr(Schema.String),
  revoked_at: Schema.NullOr(Schema.String)
}).annotations({ identifier: "Key" })
export type KeySummary = typeof KeySummary.Type

/** A key just created, with the secret that is not shown again. */
export const NewKey = Schema.Struct({ ...KeySummary.fields, secret: Schema.Redacted(Schema.String) }).annotations({
  identifier: "NewKey"
})
export type NewKey = typeof NewKey.Type

/** The account has as many active keys as it may have. */
export class TooManyKeys extends Schema.TaggedError<TooManyKeys>()("TooManyKeys", { message: Schema.String }) {
  static readonly of = (most: number) =>
    new TooManyKeys({ message: `An account has at most ${most} active keys. Revoke one that is no longer used.` })
}

/** The account has no active key of this id. */
export class KeyNotFound extends Schema.TaggedError<KeyNotFound>()("KeyNotFound", { message: Schema.String }) {
  static readonly of = () => new KeyNotFound({ message: "There is no active key with this id." })
}
