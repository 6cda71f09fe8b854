import { Schema } from "effect"
import { text } from "./Field.ts"

/** An address like name@example.com. With characters that nobody sees it would look like another's. */
export const Email = text(254).pipe(
  Schema.filter((value) => /^[^\s\p{Cc}\p{Cf}@]+@[^\s\p{Cc}\p{Cf}@]+\.[^\s\p{Cc}\p{Cf}@]+$/u.test(value.trim()), {
    message: () => "value_error: Enter an e-mail address like name@example.com"
  })
)

/** A password as it is given to be compared. */
export const Password = text(200)

const shortest = 10

/** A password that an account is to have, wherever it is set. What is wrong with one is said without showing it. */
export const NewPassword = Password.pipe(
  Schema.filter((value) => value.length >= shortest, {
    message: () => `string_too_short: A password has at least ${shortest} characters`
  })
)

/** What identifies an account: `acc_` and what was drawn for it. */
export const AccountId = Schema.String.pipe(Schema.pattern(/^acc_[0-9A-Za-z]{1,64}$/))

/** An account as its owner and the operator see it; money in micros of a US dollar. */
export const Account = Schema.Struct({
  id: Schema.String,
  email: Schema.String,
  plan: Schema.String,
  balance_micros: Schema.Int,
  reserved_micros: Schema.Int,
  created_at: Schema.String
}).annotations({ identifier: "Account" })
export type Account = typeof Account.Type

/** The e-mail address has an account already. */
export class EmailTaken extends Schema.TaggedError<EmailTaken>()("EmailTaken", { message: Schema.String }) {
  static readonly of = () => new EmailTaken({ message: "There is an account with this e-mail address already." })
}

/** No account has this id or e-mail address. */
export class AccountNotFound extends Schema.TaggedError<AccountNotFound>()("AccountNotFound", {
  message: Schema.String
}) {
  static readonly of = () => new AccountNotFound({ message: "There is no such account." })
}

/** E-mail address and password do not belong together. */
export class WrongPassword extends Schema.TaggedError<WrongPassword>()("WrongPassword", { message: Schema.String }) {
  static readonly of = () => new WrongPassword({ message: "The e-mail address or the password is wrong." })
  static readonly current = () => new WrongPassword({ message: "The current password is wrong." })
}
