import { createHmac } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import * as SqlSchema from "@effect/sql/SqlSchema"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { ATTEMPT_MINUTES, TooManyAttempts } from "#schema/console/Session"
import type { Unavailable } from "#schema/Errors"
import { orUnavailable } from "../database/unavailable.ts"
import { Pepper } from "../keys/Pepper.ts"

/** Counts tries that must not be many, across instances, in windows of `ATTEMPT_MINUTES` on the database's clock. */
export class Attempts extends Context.Tag("svc/Attempts")<
  Attempts,
  {
    /** Counts one try; fails when the window has had `most` already. */
    readonly count: (scope: ReadonlyArray<string>, most: number) => Effect.Effect<void, TooManyAttempts | Unavailable>
    readonly forget: (scope: ReadonlyArray<string>) => Effect.Effect<void, Unavailable>
  }
>() {
  static readonly layerNoDeps = Layer.effect(
    Attempts,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const pepper = Redacted.value(yield* Pepper)
      const window = sql.literal(`interval '${ATTEMPT_MINUTES} minutes'`)
      // The database's clock may have been set back: a window that opens later than it is has no end.
      const isOver = sql`a.opened_at not between clock_timestamp() - ${window} and clock_timestamp()`
      const hashed = (scope: ReadonlyArray<string>) =>
        createHmac("sha256", pepper)
          .update(JSON.stringify(["attempt", ...scope]))
          .digest()

      const tried = SqlSchema.single({
        Request: Schema.Uint8ArrayFromSelf,
        Result: Schema.Struct({ count: Schema.Int, seconds: Schema.Int }),
        execute: (scope) => sql`
          insert into attempts as a (scope, opened_at, count) values (${scope}, clock_timestamp(), 1)
          on conflict (scope) do update set
            count = case when ${isOver} then 1 else a.count + 1 end,
            opened_at = case when ${isOver} then clock_timestamp() else a.opened_at end
          returning count, greatest(1, ceil(extract(epoch from opened_at + ${window} - clock_timestamp())))::integer as seconds`
      })

      const count = Effect.fn("Attempts.count")(function* (scope: ReadonlyArray<string>, most: number) {
        const { count, seconds } = yield* sql`delete from attempts a where ${isOver}`.pipe(
          Effect.zipRight(tried(hashed(scope))),
          Effect.catchTag("NoSuchElementException", Effect.die),
          orUnavailable
        )
        if (count > most) return yield* TooManyAttempts.of(most, seconds)
      })

      return Attempts.of({
        count,
        forget: (scope) => orUnavailable(Effect.asVoid(sql`delete from attempts where scope = ${hashed(scope)}`))
      })
    })
  )
  static readonly layer = this.layerNoDeps.pipe(Layer.provide(Pepper.layer))
}
