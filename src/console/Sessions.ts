import { createHmac, randomBytes } from "node:crypto"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import type { Unavailable } from "#schema/Errors"
import { Pepper } from "../keys/Pepper.ts"
import { Settings } from "../Settings.ts"
import { SessionsRepo } from "./SessionsRepo.ts"

/** Who holds a session. */
export interface Holder {
  readonly accountId: string
  readonly email: string
  readonly operator: boolean
}

/** Sessions of the console: a random token in the browser, its hash in the database. */
export class Sessions extends Context.Tag("svc/Sessions")<
  Sessions,
  {
    /** A new session of the account; its token is never the one of an earlier session. */
    readonly open: (accountId: string) => Effect.Effect<Redacted.Redacted, Unavailable>
    readonly holder: (token: Redacted.Redacted) => Effect.Effect<Option.Option<Holder>, Unavailable>
    readonly close: (token: Redacted.Redacted) => Effect.Effect<void, Unavailable>
    readonly closeAll: (accountId: string) => Effect.Effect<void, Unavailable>
  }
>() {
  static readonly layerNoDeps = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const repo = yield* SessionsRepo
      const pepper = Redacted.value(yield* Pepper)
      const { operatorEmails } = yield* Settings

      const hashed = (token: Redacted.Redacted) =>
        createHmac("sha256", pepper).update("session\n").update(Redacted.value(token)).digest()

      const open = Effect.fn("Sessions.open")(function* (accountId: string) {
        const token = Redacted.make(randomBytes(32).toString("base64url"))
        yield* repo.insert(hashed(token), accountId)
        return token
      })

      const holder = (token: Redacted.Redacted) =>
        repo.owner(hashed(token)).pipe(
          Effect.map(
            Option.map(({ account_id, email }) => ({
              accountId: account_id,
              email,
              operator: operatorEmails.has(email)
            }))
          )
        )

      return Sessions.of({ open, holder, close: (token) => repo.remove(hashed(token)), closeAll: repo.removeAll })
    })
  )
  static readonly layer = this.layerNoDeps.pipe(Layer.provide([SessionsRepo.layer, Pepper.layer]))
}
