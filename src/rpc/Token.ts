import { createHash, timingSafeEqual } from "node:crypto"
import { Headers } from "@effect/platform"
import { Effect, Layer, Option, Redacted } from "effect"
import { InternalToken, WrongToken } from "#schema/rpc/InternalToken"
import { Settings } from "../Settings.ts"

const digest = (value: string) => createHash("sha256").update(value, "utf8").digest()

/** Compares with every known token in the same time, whichever fits. */
export const TokenLayer = Layer.effect(
  InternalToken,
  Effect.map(Settings, ({ internalTokens }) => {
    const known = internalTokens.map(({ name, token }) => ({ name, digest: digest(Redacted.value(token)) }))
    return InternalToken.of(({ headers }) => {
      const given =
        /^bearer +(\S+) *$/i.exec(Option.getOrElse(Headers.get(headers, "authorization"), () => ""))?.[1] ?? ""
      const fits = known.filter((one) => timingSafeEqual(one.digest, digest(given)))
      const [first] = fits
      return first === undefined ? WrongToken.of() : Effect.succeed({ name: first.name })
    })
  })
)
