import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { Account, Email, EmailTaken, NewPassword, Password, WrongPassword } from "../Account.ts"
import { standard, UnavailableBody } from "../ErrorBodies.ts"
import { request } from "../Field.ts"
import { SignedIn, Strangers } from "./Access.ts"

/** Minutes after which attempts are counted anew. */
export const ATTEMPT_MINUTES = 15

/** Too many passwords were tried for an address, too many accounts made from one place, or too many keys or versions by an account. HTTP 429. */
export class TooManyAttempts extends Schema.TaggedError<TooManyAttempts>()("TooManyAttempts", {
  message: Schema.String,
  retryAfter: Schema.Int
}) {
  static readonly of = (most: number, retryAfter: number) => {
    const minutes = Math.ceil(retryAfter / 60)
    return new TooManyAttempts({
      message: `Too many attempts: at most ${most} in ${ATTEMPT_MINUTES} minutes. Try again in ${minutes} minute${minutes === 1 ? "" : "s"}.`,
      retryAfter
    })
  }
}

/** This service does not let strangers make accounts. HTTP 403. */
export class SignUpClosed extends Schema.TaggedError<SignUpClosed>()("SignUpClosed", { message: Schema.String }) {
  static readonly of = () => new SignUpClosed({ message: "Sign-up is closed here. Ask the operator for an account." })
}

/** Refuses a sign-in or a change of password; does not tell whether the address has an account. */
export const WrongPasswordBody = standard(
  WrongPassword,
  400,
  "password_error",
  (message) => new WrongPassword({ message })
)
/** Refuses a second account for an address. */
export const EmailTakenBody = standard(EmailTaken, 409, "email_taken", (message) => new EmailTaken({ message }))
/** Refuses all sign-ups, where the operator makes the accounts. */
export const SignUpClosedBody = standard(
  SignUpClosed,
  403,
  "sign_up_closed",
  (message) => new SignUpClosed({ message })
)
/** Refuses to try another password or make another account for now. Only the header `retry-after` says for how long: read back, it is 60 seconds. */
export const TooManyAttemptsBody = standard(
  TooManyAttempts,
  429,
  "rate_limit_error",
  (message) => new TooManyAttempts({ message, retryAfter: 60 })
)

/** What signing in takes. */
export const Credentials = request("Credentials", { email: Email, password: Password })
/** What an account is made of. */
export const NewCredentials = request("NewCredentials", { email: Email, password: NewPassword })
/** The password so far, and the one from now on. */
export const PasswordChange = request("PasswordChange", { current: Password, next: NewPassword })

/** Who is signed in, if anyone, and what a page must know before it is drawn. Prices in micros of a US dollar. */
export const Session = Schema.Struct({
  account: Schema.NullOr(Account),
  operator: Schema.Boolean,
  sign_up: Schema.Boolean,
  price_micros: Schema.Int
}).annotations({ identifier: "Session" })
export type Session = typeof Session.Type

/** Coming in and going out; open to everybody. */
export class SessionApi extends HttpApiGroup.make("session")
  .add(HttpApiEndpoint.get("currentSession", "/session").addSuccess(Session))
  .add(
    HttpApiEndpoint.post("signIn", "/session")
      .setPayload(Credentials)
      .addSuccess(Session)
      .addError(WrongPasswordBody)
      .addError(TooManyAttemptsBody)
  )
  .add(
    HttpApiEndpoint.post("signUp", "/account")
      .setPayload(NewCredentials)
      .addSuccess(Session)
      .addError(EmailTakenBody)
      .addError(SignUpClosedBody)
      .addError(TooManyAttemptsBody)
  )
  .add(HttpApiEndpoint.del("signOut", "/session").addSuccess(Session))
  .addError(UnavailableBody)
  .middleware(Strangers) {}

/** Changing the password, which ends every other session. */
export class PasswordApi extends HttpApiGroup.make("password")
  .add(
    HttpApiEndpoint.post("changePassword", "/account/password")
      .setPayload(PasswordChange)
      .addSuccess(Session)
      .addError(WrongPasswordBody)
      .addError(TooManyAttemptsBody)
  )
  .addError(UnavailableBody)
  .middleware(SignedIn) {}
