import { SqlClient } from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { type Account, AccountNotFound, EmailTaken, WrongPassword } from "#schema/Account"
import type { Unavailable } from "#schema/Errors"
import { Ledger } from "../billing/Ledger.ts"
import { randomId } from "../database/id.ts"
import { transaction } from "../database/transaction.ts"
import { Examples } from "../flows/Examples.ts"
import { Settings } from "../Settings.ts"
import { AccountsRepo } from "./AccountsRepo.ts"
import { normalEmail } from "./Email.ts"
import { Passwords } from "./Passwords.ts"

/** Accounts: who owns keys, flows and a balance. */
export class Accounts extends Context.Tag("svc/Accounts")<
  Accounts,
  {
    /** A new account with its starting credit and the example flows: all of it, or nothing. */
    readonly create: (email: string, password: Redacted.Redacted) => Effect.Effect<Account, EmailTaken | Unavailable>
    /** The same with what else belongs to the account: should that fail, there is no account either. */
    readonly createWith: <A>(
      email: string,
      password: Redacted.Redacted,
      more: (account: Account) => Effect.Effect<A, Unavailable>
    ) => Effect.Effect<A, EmailTaken | Unavailable>
    readonly get: (id: string) => Effect.Effect<Account, AccountNotFound | Unavailable>
    readonly find: (email: string) => Effect.Effect<Account, AccountNotFound | Unavailable>
    /** Opens to the account what `more` opens, unless its password is changed before that is done. */
    readonly signIn: <A>(
      email: string,
      password: Redacted.Redacted,
      more: (account: Account) => Effect.Effect<A, Unavailable>
    ) => Effect.Effect<A, WrongPassword | Unavailable>
    /** Together with what `more` changes. Of two changes at once, the later finds that the current password is wrong. */
    readonly changePassword: <A>(
      id: string,
      current: Redacted.Redacted,
      next: Redacted.Redacted,
      more: (account: Account) => Effect.Effect<A, Unavailable>
    ) => Effect.Effect<A, WrongPassword | AccountNotFound | Unavailable>
    /** The same without the current password, which is lost. */
    readonly setPassword: <A>(
      id: string,
      next: Redacted.Redacted,
      more: (account: Account) => Effect.Effect<A, Unavailable>
    ) => Effect.Effect<A, AccountNotFound | Unavailable>
    readonly any: Effect.Effect<boolean, Unavailable>
  }
>() {
  static readonly layerNoDeps = Layer.effect(
    Accounts,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const repo = yield* AccountsRepo
      const ledger = yield* Ledger
      const examples = yield* Examples
      const passwords = yield* Passwords
      const { startingMicros } = yield* Settings
      // Verified against when the address is unknown, so that both cases take the same time.
      const nobody = yield* passwords.hash(Redacted.make(randomId()))

      const insert = Effect.fnUntraced(function* (email: string, passwordHash: string) {
        const id = `acc_${randomId()}`
        const account = yield* repo.insert({ id, email: normalEmail(email), passwordHash })
        if (Option.isNone(account)) return yield* EmailTaken.of()
        yield* examples.add(id)
        if (startingMicros === 0) return account.value
        const { balance_micros } = yield* ledger
          .credit(id, startingMicros, "starting-credit")
          .pipe(Effect.catchTag("ReferenceTaken", Effect.die))
        return { ...account.value, balance_micros }
      })

      const createWith = Effect.fn("Accounts.create")(function* <A>(
        email: string,
        password: Redacted.Redacted,
        more: (account: Account) => Effect.Effect<A, Unavailable>
      ) {
        // Said at once, as it is of operators' addresses: how long it takes tells nobody which those are.
        if (Option.isSome(yield* repo.byEmail(normalEmail(email)))) return yield* EmailTaken.of()
        // Takes too long for a transaction to wait for it.
        const passwordHash = yield* passwords.hash(password)
        return yield* insert(email, passwordHash).pipe(Effect.flatMap(more), transaction(sql))
      })

      const orNotFound = Effect.flatMap(
        Option.match({ onNone: () => AccountNotFound.of(), onSome: (account: Account) => Effect.succeed(account) })
      )

      const get = (id: string) => orNotFound(repo.byId(id))

      const verified = Effect.fnUntraced(function* (email: string, password: Redacted.Redacted) {
        const known = yield* repo.credentials(normalEmail(email))
        const right = yield* passwords.matches(
          password,
          Option.match(known, { onNone: () => nobody, onSome: (row) => row.password_hash })
        )
        return right && Option.isSome(known) ? known.value : yield* WrongPassword.of()
      })

      /** Verifying takes long: whether the password is still the same shows here. */
      const unlessChanged = <A>(
        found: Effect.Effect<Option.Option<Account>, Unavailable>,
        more: (account: Account) => Effect.Effect<A, Unavailable>
      ) =>
        found.pipe(
          Effect.flatMap(
            (account): Effect.Effect<A, WrongPassword | Unavailable> =>
              Option.match(account, { onNone: WrongPassword.of, onSome: more })
          ),
          transaction(sql)
        )

      const signIn = Effect.fn("Accounts.signIn")(function* <A>(
        email: string,
        password: Redacted.Redacted,
        more: (account: Account) => Effect.Effect<A, Unavailable>
      ) {
        const { id, password_hash } = yield* verified(email, password)
        return yield* unlessChanged(repo.withPassword(id, password_hash), more)
      })

      const changePassword = Effect.fn("Accounts.changePassword")(function* <A>(
        id: string,
        current: Redacted.Redacted,
        next: Redacted.Redacted,
        more: (account: Account) => Effect.Effect<A, Unavailable>
      ) {
        const { email } = yield* get(id)
        const { password_hash } = yield* verified(email, current).pipe(
          Effect.catchTag("WrongPassword", WrongPassword.current)
        )
        const after = yield* passwords.hash(next)
        return yield* unlessChanged(repo.replacePassword({ id, before: password_hash, after }), more)
      })

      const setPassword = Effect.fn("Accounts.setPassword")(function* <A>(
        id: string,
        next: Redacted.Redacted,
        more: (account: Account) => Effect.Effect<A, Unavailable>
      ) {
        yield* get(id)
        const passwordHash = yield* passwords.hash(next)
        return yield* orNotFound(repo.setPassword(id, passwordHash)).pipe(Effect.flatMap(more), transaction(sql))
      })

      return Accounts.of({
        create: (email, password) => createWith(email, password, Effect.succeed),
        createWith,
        get,
        find: (email) => orNotFound(repo.byEmail(normalEmail(email))),
        signIn,
        changePassword,
        setPassword,
        any: repo.any
      })
    })
  )
  static readonly layer = this.layerNoDeps.pipe(Layer.provide([AccountsRepo.layer, Ledger.layer, Examples.layer]))
}
