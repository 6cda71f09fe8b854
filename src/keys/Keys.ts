import { Context, Effect, Layer, Option, Redacted } from "effect"
import type { Unavailable } from "#schema/Errors"
import { KeyNotFound, type KeySummary, type NewKey, TooManyKeys } from "#schema/Key"
import { Limits } from "#schema/Limits"
import { randomId } from "../database/id.ts"
import { KeysRepo } from "./KeysRepo.ts"
import { Pepper } from "./Pepper.ts"
import { hashSecret, isSecret, makeSecret } from "./Secret.ts"

/** API keys: created once in clear, kept as hashes. */
export class Keys extends Context.Tag("svc/Keys")<
  Keys,
  {
    readonly create: (
      accountId: string,
      name: string,
      options?: { readonly rateLimit?: number }
    ) => Effect.Effect<NewKey, TooManyKeys | Unavailable>
    readonly list: (accountId: string) => Effect.Effect<ReadonlyArray<KeySummary>, Unavailable>
    /** Takes effect with its commit, on every instance; cannot be undone. */
    readonly revoke: (accountId: string, id: string) => Effect.Effect<KeySummary, KeyNotFound | Unavailable>
    /** Requests per minute of this key; null for the standard limit. */
    readonly limit: (
      accountId: string,
      id: string,
      rateLimit: number | null
    ) => Effect.Effect<KeySummary, KeyNotFound | Unavailable>
    /** The stored form of a secret; none when it cannot be a key. */
    readonly hash: (secret: Redacted.Redacted) => Option.Option<Uint8Array>
  }
>() {
  static readonly layerNoDeps = Layer.effect(
    Keys,
    Effect.gen(function* () {
      const repo = yield* KeysRepo
      const pepper = Redacted.value(yield* Pepper)

      const create = Effect.fn("Keys.create")(function* (
        accountId: string,
        name: string,
        options?: { readonly rateLimit?: number }
      ) {
        const secret = makeSecret()
        const key = yield* repo.insert({
          id: `key_${randomId()}`,
          accountId,
          name,
          hash: hashSecret(pepper, secret),
          lastFour: secret.slice(-4),
          rateLimit: options?.rateLimit ?? null,
          most: Limits.activeKeys
        })
        if (Option.isNone(key)) return yield* TooManyKeys.of(Limits.activeKeys)
        return { ...key.value, secret: Redacted.make(secret) }
      })

      const orNotFound = <E>(found: Effect.Effect<Option.Option<KeySummary>, E>) =>
        Effect.flatMap(found, Option.match({ onNone: () => KeyNotFound.of(), onSome: Effect.succeed }))

      return Keys.of({
        create,
        list: repo.list,
        revoke: (accountId, id) => orNotFound(repo.revoke({ accountId, id })),
        limit: (accountId, id, rateLimit) => orNotFound(repo.limit({ accountId, id, rateLimit })),
        hash: (secret) =>
          Option.map(Option.liftPredicate(isSecret)(Redacted.value(secret)), (value) => hashSecret(pepper, value))
      })
    })
  )
  static readonly layer = this.layerNoDeps.pipe(Layer.provide([KeysRepo.layer, Pepper.layer]))
}
