import { HttpApiBuilder, HttpServerRequest } from "@effect/platform"
import { Effect, Option, Redacted } from "effect"
import type { Account } from "#schema/Account"
import { EmailTaken } from "#schema/Account"
import { ConsoleApi } from "#schema/ConsoleApi"
import { Visitor } from "#schema/console/Access"
import { SignUpClosed } from "#schema/console/Session"
import { Accounts } from "../../accounts/Accounts.ts"
import { normalEmail } from "../../accounts/Email.ts"
import { networkOf } from "../../http/Network.ts"
import { originOf } from "../../http/Proxies.ts"
import { Settings } from "../../Settings.ts"
import { Attempts } from "../Attempts.ts"
import { handOut, presented, takeBack } from "../Cookie.ts"
import { Sessions } from "../Sessions.ts"
import { toldWhen } from "./toldWhen.ts"

const mostPasswords = 10
/** From one place, for all addresses together: as few passwords as everybody uses, tried on many accounts, are tries too. */
const mostSignIns = 300
const mostAccounts = 30

const placed = Effect.map(Settings, ({ trustedProxies }) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers, remoteAddress }) =>
    networkOf(
      originOf(
        trustedProxies,
        Option.getOrElse(remoteAddress, () => ""),
        headers["x-forwarded-for"] ?? ""
      )
    )
  )
)

const described = Effect.map(Settings, ({ operatorEmails, priceMicros, signUp }) => (account: Account | null) => ({
  account,
  operator: account !== null && operatorEmails.has(account.email),
  sign_up: signUp,
  price_micros: priceMicros
}))

/** Replaces whatever session the browser had by a new one, whose token it gets when that is certain. */
const replaced = Effect.map(
  Sessions,
  (sessions) => (before: Option.Option<Redacted.Redacted>) =>
    Effect.fnUntraced(function* (account: Account) {
      if (Option.isSome(before)) yield* sessions.close(before.value)
      return { account, token: yield* sessions.open(account.id) }
    })
)

/** Who is signed in; signing up, in and out. Attempts are counted before a password is looked at. */
export const SessionHandlers = HttpApiBuilder.group(ConsoleApi, "session", (handlers) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const sessions = yield* Sessions
    const attempts = yield* Attempts
    const { signUp, operatorEmails } = yield* Settings
    const place = yield* placed
    const session = yield* described
    const replaceSession = yield* replaced

    return handlers
      .handle("currentSession", () =>
        Effect.gen(function* () {
          const token = yield* presented
          const holder = Option.isSome(token) ? yield* sessions.holder(token.value) : Option.none()
          if (Option.isNone(holder)) return session(null)
          const account = yield* accounts
            .get(holder.value.accountId)
            .pipe(Effect.catchTag("AccountNotFound", () => Effect.succeed(null)))
          return session(account)
        })
      )
      .handle("signIn", ({ payload: { email, password } }) =>
        Effect.gen(function* () {
          const here = yield* place
          const scope = ["sign-in", normalEmail(email), here]
          yield* toldWhen(attempts.count(["sign-in", here], mostSignIns))
          yield* toldWhen(attempts.count(scope, mostPasswords))
          const replace = replaceSession(yield* presented)
          const { account, token } = yield* accounts.signIn(email, Redacted.make(password), replace)
          yield* attempts.forget(scope)
          yield* handOut(token)
          return session(account)
        })
      )
      .handle("signUp", ({ payload: { email, password } }) =>
        Effect.gen(function* () {
          if (!signUp) return yield* SignUpClosed.of()
          yield* toldWhen(attempts.count(["sign-up", yield* place], mostAccounts))
          // Addresses are not proven here: nobody may become an operator by naming an operator's.
          if (operatorEmails.has(normalEmail(email))) return yield* EmailTaken.of()
          const replace = replaceSession(yield* presented)
          const { account, token } = yield* accounts.createWith(email, Redacted.make(password), replace)
          yield* handOut(token)
          return session(account)
        })
      )
      .handle("signOut", () =>
        Effect.gen(function* () {
          const token = yield* presented
          if (Option.isSome(token)) yield* sessions.close(token.value)
          yield* takeBack
          return session(null)
        })
      )
  })
)

/** The change of a password, whose attempts count as sign-ins. */
export const PasswordHandlers = HttpApiBuilder.group(ConsoleApi, "password", (handlers) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const sessions = yield* Sessions
    const attempts = yield* Attempts
    const place = yield* placed
    const session = yield* described
    const replaceSession = yield* replaced

    return handlers.handle("changePassword", ({ payload: { current, next } }) =>
      Effect.gen(function* () {
        const { accountId, email } = yield* Visitor
        const scope = ["sign-in", email, yield* place]
        yield* toldWhen(attempts.count(scope, mostPasswords))
        const anew = replaceSession(Option.none())
        const { account, token } = yield* accounts
          .changePassword(accountId, Redacted.make(current), Redacted.make(next), (account) =>
            Effect.zipRight(sessions.closeAll(account.id), anew(account))
          )
          .pipe(Effect.catchTag("AccountNotFound", Effect.die))
        yield* attempts.forget(scope)
        yield* handOut(token)
        return session(account)
      })
    )
  })
)
