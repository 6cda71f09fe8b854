import { HttpApp, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Option, Ref } from "effect"
import {
  accountHeader,
  ForeignOrigin,
  guardHeader,
  NotSignedIn,
  SameOrigin,
  SignedIn,
  Strangers
} from "#schema/console/Access"
import { Limits } from "#schema/Limits"
import { CurrentExchange } from "../http/Exchange.ts"
import { presented } from "./Cookie.ts"
import { Sessions } from "./Sessions.ts"

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : undefined)

const isOwn = ({ method, headers }: HttpServerRequest.HttpServerRequest): boolean => {
  if (method === "GET" || method === "HEAD") return true
  if (headers[guardHeader] === undefined) return false
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site === "same-origin"
  return headers.origin !== undefined && hostOf(headers.origin) === headers.host
}

/** Answers of the console are for one reader and one moment. */
const uncached = HttpApp.appendPreResponseHandler((_, response) =>
  Effect.succeed(
    HttpServerResponse.setHeaders(response, { "cache-control": "no-store", "x-content-type-options": "nosniff" })
  )
)

/** What changes something comes from a page of ours: browsers say where a request comes from, and other sites cannot add our header. */
export const SameOriginLayer = Layer.succeed(
  SameOrigin,
  Effect.gen(function* () {
    yield* uncached
    if (!isOwn(yield* HttpServerRequest.HttpServerRequest)) return yield* ForeignOrigin.of()
  })
)

/** Long bodies of theirs would take the room of those who may send them. */
export const StrangersLayer = Layer.succeed(
  Strangers,
  Effect.flatMap(CurrentExchange, ({ mostBytes }) => Ref.set(mostBytes, Limits.strangerBytes))
)

/** Whoever has no session that is still open is turned away, and a page that was drawn for somebody else. */
export const SignedInLayer = Layer.effect(
  SignedIn,
  Effect.map(Sessions, (sessions) =>
    Effect.gen(function* () {
      const token = yield* presented
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const holder = Option.isNone(token) ? Option.none() : yield* sessions.holder(token.value)
      if (Option.isNone(holder)) return yield* NotSignedIn.of()
      if ((headers[accountHeader] ?? holder.value.accountId) !== holder.value.accountId) return yield* NotSignedIn.of()
      return holder.value
    })
  )
)
