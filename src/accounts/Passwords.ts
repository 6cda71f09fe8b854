import { Context, Effect, Layer, Redacted } from "effect"

/** How passwords are kept: as hashes that take time and memory to try. */
export class Passwords extends Context.Tag("svc/Passwords")<
  Passwords,
  {
    readonly hash: (password: Redacted.Redacted) => Effect.Effect<string>
    readonly matches: (password: Redacted.Redacted, hash: string) => Effect.Effect<boolean>
  }
>() {
  /** `cost` is Bun's: memory in KiB and passes over it. */
  static readonly layerWith = (cost: { readonly memoryCost?: number; readonly timeCost?: number }) =>
    Layer.succeed(
      Passwords,
      Passwords.of({
        hash: (password) =>
          Effect.promise(() => Bun.password.hash(Redacted.value(password), { algorithm: "argon2id", ...cost })),
        matches: (password, hash) => Effect.promise(() => Bun.password.verify(Redacted.value(password), hash))
      })
    )

  static readonly layer = this.layerWith({})
}
