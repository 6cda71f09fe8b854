import { Schema } from "effect"

/** Whether PostgreSQL can keep a text: there, none holds U+0000 or half of a surrogate pair. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0")

/** Refuses what PostgreSQL cannot keep. */
export const storable = <A extends string, I, R>(schema: Schema.Schema<A, I, R>) =>
  schema.pipe(
    Schema.filter(isStorable, {
      message: () => "value_error: Value error, neither the character U+0000 nor half a surrogate pair is allowed"
    })
  )

/** A text that PostgreSQL can keep. */
export const Storable = storable(Schema.String)
