import { identity, Schema } from "effect"
import { isStorable } from "../Storable.ts"

/**
 * What a call names something by: an id, a slug, an e-mail address. What PostgreSQL could not even look up is read as a
 * name that nothing has: the answer is the procedure's own for what is not there.
 */
export const Name = Schema.transform(Schema.String, Schema.String, {
  strict: true,
  decode: (given) => (isStorable(given) ? given : ""),
  encode: identity
})
