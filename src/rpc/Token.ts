import { createHash, timingSafeEqual } from "node:crypto"
import { Headers } from "@effect/platform"
import { Effect, Layer, Option, Redacted } from "effect"
import { InternalToken, WrongToken } from "#schema/rpc/InternalToken"
import { Settings } from "../Settings.ts"

const digest = (value: string) => createHash("sha256").update(value, "utf8").digest()

/** The name of the service whose token a call carries. Compares with every known token in the same time, whichever fits. */
export const serviceOf = (tokens: (typeof Settings.Service)["internalTokens"]) => {
  const known = tokens.map(({ name, token }) => ({ name, digest: digest(Redacted.value(token)) }))
  return (headers: Headers.Headers): Option.Option<string> => {
    const given =
      /^bearer +(\S+) *$/i.exec(Option.getOrElse(Headers.get(headers, "authorization"), () => ""))?.[1] ?? ""
    const fits = known.filter((one) => timingSafeEqual(one.digest, digest(given)))
    return Option.fromNullable(fits[0]?.name)
  }
}

/** Turns calls without a known token away. What is logged in a call names who calls, and a bug in it is logged: it goes no further. */
export const TokenLayer = Layer.effect(
  InternalToken,
  Effect.map(Settings, ({ internalTokens }) => {
    const service = serviceOf(internalTokens)
    return InternalToken.of(({ headers, next, rpc }) =>
      Option.match(service(headers), {
        onNone: () => WrongToken.of(),
        onSome: (name) =>
          next.pipe(
            Effect.tapDefect((cause) => Effect.logError("An internal procedure has a bug", cause)),
            Effect.annotateLogs({ internal_service: name, procedure: rpc._tag })
          )
      })
    )
  })
)
