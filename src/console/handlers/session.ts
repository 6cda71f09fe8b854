import { HttpApiBuilder, HttpServerRequest } from "@effect/platform"
import { Effect, Option, Redacted, Ref } from "effect"
import type { Account } from "#schema/Account"
import { EmailTaken } from "#schema/Account"
import { ConsoleApi } from "#schema/ConsoleApi"
import { Visitor } from "#schema/console/Access"
import { SignUpClosed, TooManyAttempts } from "#schema/console/Session"
import { Accounts } from "../../accounts/Accounts.ts"
import { CurrentExchange } from "../../http/Exchange.ts"
import { networkOf } from "../../http/Network.ts"
import { originOf } from "../../http/Proxies.ts"
import { Settings } from "../../Settings.ts"
import { Attempts } from "../Attempts.ts"
import { handOut, presented, takeBack } from "../Cookie.ts"
import { Sessions } from "../Sessions.ts"

const mostPasswords = 10
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

/** Tells the browser when to come back, in `retry-after`. */
const toldWhen = <A, E, R>(counted: Effect.Effect<A, E | TooManyAttempts, R>) =>
  Effect.tapError(counted, (error) =>
    error instanceof TooManyAttempts
      ? Effect.flatMap(CurrentExchange, (exchange) => Ref.set(exchange.retryAfter, Option.some(error.retryAfter)))
      : Effect.void
  )

const described = Effect.map(Settings, ({ operatorEmails, priceMicros, signUp }) => (account: Account | null) => ({
  account,
  operator: account !== null && operatorEmails.has(account.email),
  sign_up: signUp,
  price_micros: priceMicros
}))

/** Replaces whatever session the browser had by a new one. */
const begin = Effect.map(Sessions, (sessions) =>
  Effect.fnUntraced(function* (accountId: string) {
    const before = yield* presented
    if (Option.isSome(before)) yield* sessions.close(before.value)
    yield* handOut(yield* sessions.open(accountId))
  })
)

export const SessionHandlers = HttpApiBuilder.group(ConsoleApi, "session", (handlers) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const sessions = yield* Sessions
    const attempts = yield* Attempts
    const { signUp, operatorEmails } = yield* Settings
    const place = yield* placed
    const session = yield* described
    const beginSession = yield* begin

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
          const scope = ["sign-in", email.trim().toLowerCase(), yield* place]
          yield* toldWhen(attempts.count(scope, mostPasswords))
          const account = yield* accounts.signIn(email, Redacted.make(password))
          yield* attempts.forget(scope)
          yield* beginSession(account.id)
          return session(account)
        })
      )
      .handle("signUp", ({ payload: { email, password } }) =>
        Effect.gen(function* () {
          if (!signUp) return yield* SignUpClosed.of()
          yield* toldWhen(attempts.count(["sign-up", yield* place], mostAccounts))
          // Addresses are not proven here: nobody may become an operator by naming an operator's.
          if (operatorEmails.has(email.trim().toLowerCase())) return yield* EmailTaken.of()
          const account = yield* accounts.create(email, Redacted.make(password))
          yield* beginSession(account.id)
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

export const PasswordHandlers = HttpApiBuilder.group(ConsoleApi, "password", (handlers) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const sessions = yield* Sessions
    const attempts = yield* Attempts
    const place = yield* placed
    const session = yield* described
    const beginSession = yield* begin

    return handlers.handle("changePassword", ({ payload: { current, next } }) =>
      Effect.gen(function* () {
        const { accountId, email } = yield* Visitor
        const scope = ["sign-in", email, yield* place]
        yield* toldWhen(attempts.count(scope, mostPasswords))
        yield* accounts
          .changePassword(accountId, Redacted.make(current), Redacted.make(next))
          .pipe(Effect.catchTag("AccountNotFound", Effect.die))
        yield* attempts.forget(scope)
        yield* sessions.closeAll(accountId)
        yield* beginSession(accountId)
        return session(yield* accounts.get(accountId).pipe(Effect.catchTag("AccountNotFound", Effect.die)))
      })
    )
  })
)
