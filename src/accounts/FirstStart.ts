import { HttpServer } from "@effect/platform"
import { Console, Effect, Layer, Redacted } from "effect"
import { randomId } from "../database/id.ts"
import { Keys } from "../keys/Keys.ts"
import { Accounts } from "./Accounts.ts"

const email = "owner@svc.local"

const welcome = (base: string, key: string, password: string) => `
  The first account was made. These are shown once; keep them.

    API key    ${key}
    Console    ${base}/console
    E-mail     ${email}
    Password   ${password}

  Try it:

curl ${base}/v1/decide \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"template": "support_intent", "text": "I was charged twice. Please send one payment back."}'
`

/** At the very first start: makes an account with its starting credit and a key, and prints how to use them. */
export const FirstStart = Layer.effectDiscard(
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const keys = yield* Keys
    if (yield* accounts.any) return
    const password = randomId()
    // Together: an account without a key would keep every later start from making one.
    const key = yield* accounts.createWith(email, Redacted.make(password), ({ id }) =>
      keys.create(id, "first key").pipe(Effect.catchTag("TooManyKeys", Effect.die))
    )
    const base = yield* HttpServer.addressFormattedWith((address) =>
      Effect.succeed(address.replace("0.0.0.0", "localhost"))
    )
    yield* Console.log(welcome(base, Redacted.value(key.secret), password))
  }).pipe(
    // Another instance was first.
    Effect.catchTag("EmailTaken", () => Effect.void)
  )
)
