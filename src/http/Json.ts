import { Either } from "effect"
import { Limits } from "#schema/Limits"
import { withOrder } from "#schema/Order"
import { parsed } from "./Exact.ts"

const decoder = new TextDecoder("utf-8", { fatal: true })
const surrogateEscape = /\\u[dD][89a-fA-F]/

const tooDeep = (text: string, most: number): boolean => {
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (quoted) {
      if (code === 0x5c) at++
      else if (code === 0x22) quoted = false
    } else if (code === 0x22) quoted = true
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > most) return true
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return false
}

const wellFormed = (value: unknown): boolean => {
  if (typeof value === "string") return value.isWellFormed()
  if (typeof value !== "object" || value === null) return true
  if (Array.isArray(value)) return value.every(wellFormed)
  return Object.entries(value).every(([key, item]) => key.isWellFormed() && wellFormed(item))
}

/** Why a body was not read. */
export type Unread = "not json" | "too deep"

/**
 * Reads the bytes of a body as JSON. Left for what is no JSON, no UTF-8, nested deeper than `Limits.jsonDepth`,
 * or holds half a surrogate pair, which no text of ours can carry on.
 */
export const readJson = (bytes: Uint8Array): Either.Either<unknown, Unread> =>
  Either.try(() => decoder.decode(bytes)).pipe(
    Either.filterOrLeft(
      (text) => !tooDeep(text, Limits.jsonDepth),
      () => "too deep" as const
    ),
    Either.flatMap((text) =>
      Either.filterOrLeft(
        Either.try(() => withOrder(parsed(text), text)),
        (value) => !surrogateEscape.test(text) || wellFormed(value),
        () => "not json" as const
      )
    ),
    Either.mapLeft((why) => (why === "too deep" ? why : "not json"))
  )
