import { expect, spyOn } from "bun:test"
import { Effect, Fiber, Redacted } from "effect"
import { Passwords } from "#src/accounts/Passwords"
import { effect, live } from "#test/support/effect"

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

/** Passwords take until the test ends them, the oldest first. */
const heldUp = Effect.acquireRelease(
  Effect.sync(() => {
    const begun: Array<string> = []
    const ends: Array<() => void> = []
    const held = <A>(name: string, result: A) => {
      begun.push(name)
      return new Promise<A>((done) => ends.push(() => done(result)))
    }
    const spies = [
      spyOn(Bun.password, "hash").mockImplementation((password) => held(`hash ${password}`, "hashed")),
      spyOn(Bun.password, "verify").mockImplementation((password) => held(`verify ${password}`, true))
    ]
    return { begun, end: Effect.sync(() => ends.shift()?.()), spies }
  }),
  ({ spies }) => Effect.sync(() => spies.map((spy) => spy.mockRestore()))
)

effect("Passwords are tried one at a time, and to its end that of a visitor who has left", () =>
  Effect.gen(function* () {
    const passwords = yield* Passwords
    const { begun, end } = yield* heldUp
    const others = Effect.repeatN(Effect.yieldNow(), 20)
    const first = yield* Effect.fork(passwords.hash(Redacted.make("1")))
    const second = yield* Effect.fork(passwords.matches(Redacted.make("2"), ""))
    const third = yield* Effect.fork(passwords.hash(Redacted.make("3")))
    yield* others
    yield* Fiber.interruptFork(first)
    yield* others
    expect(begun).toEqual(["hash 1"])
    const whenBegun = (tries: number) => Effect.repeat(Effect.yieldNow(), { until: () => begun.length === tries })
    yield* end
    yield* whenBegun(2)
    yield* others
    expect(begun).toEqual(["hash 1", "verify 2"])
    yield* end
    expect(yield* Fiber.join(second)).toBe(true)
    yield* whenBegun(3)
    yield* end
    expect(yield* Fiber.join(third)).toBe("hashed")
  }).pipe(Effect.provide(Passwords.layerWith({})))
)
