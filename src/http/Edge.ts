import { HttpBody, HttpLayerRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Cause, Clock, Effect, Option, Ref } from "effect"
import { Overloaded, Unavailable } from "#schema/Errors"
import { Admission } from "../admission/Admission.ts"
import { withBody } from "./Body.ts"
import { type Dialect, dialectOf } from "./Dialect.ts"
import { Door } from "./Door.ts"
import { CurrentExchange, type Exchange, openExchange } from "./Exchange.ts"
import { InFlight, Overdue, Stopping } from "./InFlight.ts"
import { BodyTooLarge, BodyTooSlow, Intake, IntakeFull } from "./Intake.ts"
import type { Methods } from "./Methods.ts"
import { Replayed } from "./Replay.ts"
import { released, resent, settled } from "./Settlement.ts"
import { unmatched } from "./Unmatched.ts"

/** The path as the router takes it, which looks past a slash too many and what comes after a `;`. */
const pathOf = ({ url }: HttpServerRequest.HttpServerRequest) =>
  (url.split(/[?;]/, 1)[0] ?? "/").replaceAll(/\/+/g, "/").replace(/(?<=.)\/$/, "")

/** A path as the log may hold it: what callers make up could be anything, and some put their key there. */
const shown = (path: string) => (/^(?!.*svc_)[\w/.-]{1,100}$/.test(path) ? path : "unusual")

/** The answer to a request whose handler failed: the router found nothing, a limit was passed, or we have a bug. */
const recovered = (
  known: ReadonlyArray<Methods>,
  { method }: HttpServerRequest.HttpServerRequest,
  path: string,
  dialect: Dialect,
  cause: Cause.Cause<unknown>
) => {
  const error = Cause.squash(cause)
  if (error instanceof Replayed) return Effect.succeed(resent(error.answer))
  if (error instanceof Overdue) return Effect.succeed(dialect.refused(Unavailable.of()))
  if (error instanceof Stopping)
    return Effect.succeed(HttpServerResponse.setHeader(dialect.refused(Unavailable.of()), "connection", "close"))
  if (error instanceof BodyTooLarge)
    return Effect.succeed(
      dialect.refusal(413, "request_too_large", `The request body may have at most ${error.most} bytes.`)
    )
  if (error instanceof BodyTooSlow)
    return Effect.succeed(
      HttpServerResponse.setHeader(
        dialect.refusal(408, "request_timeout", "The request body did not arrive in time."),
        "connection",
        "close"
      )
    )
  if (error instanceof IntakeFull)
    return Effect.succeed(dialect.refusal(529, "overloaded_error", Overloaded.of().message))
  if (HttpServerError.isServerError(error) && error._tag === "RouteNotFound")
    return Effect.succeed(unmatched(known, method, path, dialect))
  return Effect.as(
    Effect.logError("a request ended in a defect", cause),
    dialect.refusal(
      500,
      "api_error",
      "Something went wrong on our side. Retry, and tell us the request id if it goes on."
    )
  )
}

/** For answers that are no pages: whatever a browser is led to take them for, they load nothing and show in no frame. */
const inert = { "content-security-policy": "default-src 'none'; frame-ancestors 'none'", "x-frame-options": "DENY" }

const identified = (response: HttpServerResponse.HttpServerResponse, id: string, retryAfter: Option.Option<number>) => {
  const named = HttpServerResponse.setHeaders(response, {
    "x-request-id": id,
    "x-svc-request-id": id,
    "x-typesafe-request-id": id,
    "x-content-type-options": "nosniff",
    ...(response.headers["content-security-policy"] === undefined ? inert : {})
  })
  return [429, 503, 529].includes(response.status) && response.headers["retry-after"] === undefined
    ? HttpServerResponse.setHeader(named, "retry-after", String(Option.getOrElse(retryAfter, () => 1)))
    : named
}

/**
 * Around every request: gives it an id, reads its body strictly, settles what was reserved before the answer leaves,
 * and turns what nobody answered into an answer of ours. `known` says which methods the paths behind it take.
 */
export const edge = (known: ReadonlyArray<Methods>) =>
  HttpLayerRouter.middleware(
    Effect.gen(function* () {
      const admission = yield* Admission
      const door = yield* Door
      const inFlight = yield* InFlight
      const intake = yield* Intake

      /**
       * A key that was sent with an unreadable request is checked and counted all the same. Where the door has refused it, or
       * the database cannot be asked, it is not asked again.
       */
      const counted = Effect.fnUntraced(function* (
        exchange: Exchange,
        dialect: Dialect,
        response: HttpServerResponse.HttpServerResponse
      ) {
        const keyHash = yield* Ref.get(exchange.keyHash)
        if (response.status < 400 || Option.isNone(keyHash) || (yield* Ref.get(exchange.counted))) return response
        if ([401, 429, 503].includes(response.status)) return response
        return yield* door.admit(keyHash.value, { decisions: 0 }).pipe(
          Effect.as(response),
          Effect.catchAll((error) => Effect.succeed(dialect.refused(error)))
        )
      })

      return (app) =>
        Effect.gen(function* () {
          yield* inFlight.enter
          const request = yield* HttpServerRequest.HttpServerRequest
          const exchange = openExchange()
          const path = pathOf(request)
          const dialect = dialectOf(path)
          const started = yield* Clock.currentTimeMillis
          const response = yield* inFlight.work(app).pipe(
            Effect.provideService(
              HttpServerRequest.HttpServerRequest,
              request.method === "POST" ? withBody(request, exchange, intake) : request
            ),
            Effect.catchAllCause((cause) =>
              Cause.isInterruptedOnly(cause) ? Effect.failCause(cause) : recovered(known, request, path, dialect, cause)
            ),
            Effect.flatMap((answer) => counted(exchange, dialect, answer)),
            Effect.flatMap((answer) => Effect.uninterruptible(settled(admission, exchange, dialect, answer))),
            Effect.onInterrupt(() => released(admission, exchange)),
            Effect.ensuring(intake.forget(exchange)),
            Effect.provideService(CurrentExchange, exchange),
            Effect.annotateLogs("request_id", exchange.requestId)
          )
          const replayed = response.headers["x-request-id"]
          yield* Effect.logDebug("request").pipe(
            Effect.annotateLogs({
              request_id: exchange.requestId,
              method: request.method,
              path: shown(path),
              status: response.status,
              ms: (yield* Clock.currentTimeMillis) - started
            })
          )
          const named = identified(response, replayed ?? exchange.requestId, yield* Ref.get(exchange.retryAfter))
          return named.body._tag === "Stream"
            ? HttpServerResponse.setBody(
                named,
                HttpBody.stream(inFlight.send(named.body.stream), named.body.contentType)
              )
            : named
        })
    }),
    { global: true }
  )
