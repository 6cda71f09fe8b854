import { Context, Effect, Layer, Redacted } from "effect"

/** How passwords are kept: as hashes that take time and memory to try. */
export class Passwords extends Context.Tag("svc/Passwords")<
  Passwords,
  {
    readonly hash: (password: Redacted.Redacted) => Effect.Effect<string>
    readonly matches: (password: Redacted.Redacted, hash: string) => Effect.Effect<boolean>
  }
>() {
  /** `cost` is Bun's: memory in KiB and passes over it. One password at a time: strangers who try many take one core, not those of the models. */
  static readonly layerWith = (cost: { readonly memoryCost?: number; readonly timeCost?: number }) =>
    Layer.effect(
      Passwords,
      Effect.map(Effect.makeSemaphore(1), (turns) => {
        // Whoever leaves keeps the turn: what has begun goes on.
        const inTurn = <A>(work: () => Promise<A>) => turns.withPermits(1)(Effect.uninterruptible(Effect.promise(work)))
        return Passwords.of({
          hash: (password) =>
            inTurn(() => Bun.password.hash(Redacted.value(password), { algorithm: "argon2id", ...cost })),
          matches: (password, hash) => inTurn(() => Bun.password.verify(Redacted.value(password), hash))
        })
      })
    )

  static readonly layer = this.layerWith({})
}
