import { expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { Passwords } from "#src/accounts/Passwords"
import { live } from "#test/support/effect"

live("Passwords are kept as hashes that cost what an attacker should pay, each with a salt of its own", () =>
  Effect.gen(function* () {
    const passwords = yield* Passwords
    const password = Redacted.make("correct horse battery")
    const [one, other] = yield* Effect.all([passwords.hash(password), passwords.hash(password)])
    expect(one).toStartWith("$argon2id$v=19$m=65536,t=2,p=1$")
    expect(one).not.toBe(other)
    expect(yield* passwords.matches(password, one)).toBe(true)
    expect(yield* passwords.matches(Redacted.make("correct horse"), one)).toBe(false)
  }).pipe(Effect.provide(Passwords.layer))
)
