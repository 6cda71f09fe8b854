import { Context, Effect, Layer } from "effect"

const most = 10_000

/**
 * Keys that were valid here lately. Only a hint on what to do first; whether a key is valid is asked of the database
 * at every request.
 */
export class KnownKeys extends Context.Tag("http/KnownKeys")<
  KnownKeys,
  {
    readonly has: (hash: Uint8Array) => Effect.Effect<boolean>
    readonly add: (hash: Uint8Array) => Effect.Effect<void>
    readonly remove: (hash: Uint8Array) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.sync(KnownKeys, () => {
    const known = new Set<string>()
    return KnownKeys.of({
      has: (hash) => Effect.sync(() => known.has(hash.toHex())),
      add: (hash) =>
        Effect.sync(() => {
          const key = hash.toHex()
          known.delete(key)
          known.add(key)
          for (const oldest of known) {
            if (known.size <= most) break
            known.delete(oldest)
          }
        }),
      remove: (hash) => Effect.sync(() => void known.delete(hash.toHex()))
    })
  })
}
