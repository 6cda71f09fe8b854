import { Buffer } from "node:buffer"
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option, Ref } from "effect"
import type { Admission } from "../admission/Admission.ts"
import type { StoredAnswer } from "../admission/StoredAnswer.ts"
import type { Dialect } from "./Dialect.ts"
import type { Exchange } from "./Exchange.ts"

/** Bytes of the largest answer that is kept for retries; the retry of a larger one does the work anew, and pays for it. */
const longestKept = 1024 * 1024

const stored = (response: HttpServerResponse.HttpServerResponse, requestId: string): StoredAnswer | undefined =>
  response.body._tag === "Uint8Array" && response.body.contentLength <= longestKept
    ? {
        status: response.status,
        headers: { ...response.headers, "content-type": response.body.contentType, "x-request-id": requestId },
        body: Buffer.from(response.body.body).toString("utf8")
      }
    : undefined

/** Whether the client has left; known for as long as its answer has not been handed over. */
const isGone = ({ source }: HttpServerRequest.HttpServerRequest) => source instanceof Request && source.signal.aborted

/** Charges an answer that is about to be sent; without the charge there is no answer, and without a reader no charge. */
export const settled = Effect.fnUntraced(function* (
  admission: typeof Admission.Service,
  exchange: Exchange,
  dialect: Dialect,
  response: HttpServerResponse.HttpServerResponse
) {
  const reservation = yield* Ref.getAndSet(exchange.reservation, Option.none())
  if (Option.isNone(reservation)) return response
  const decisions = response.status === 200 ? yield* Ref.get(exchange.answered) : 0
  // Where nothing was answered, as in a batch of failures, a retry does the work anew.
  const answer = decisions > 0 && reservation.value.retried ? stored(response, exchange.requestId) : undefined
  const request = yield* HttpServerRequest.HttpServerRequest
  return yield* admission.settle(reservation.value, decisions, answer).pipe(
    // The request's scope closes when its answer has been handed over.
    Effect.tap(() =>
      Effect.addFinalizer(() =>
        isGone(request) ? admission.unsent(reservation.value) : admission.sent(reservation.value)
      )
    ),
    Effect.as(response),
    Effect.catchTag("Unavailable", (error) => Effect.succeed(dialect.refused(error)))
  )
})

/** Gives back what was reserved for a request that is not answered. */
export const released = Effect.fnUntraced(function* (admission: typeof Admission.Service, exchange: Exchange) {
  const reservation = yield* Ref.getAndSet(exchange.reservation, Option.none())
  if (Option.isSome(reservation)) yield* Effect.ignore(admission.settle(reservation.value, 0))
})

/** The answer of an earlier attempt, as it was sent. */
export const resent = ({ status, headers, body }: StoredAnswer) =>
  HttpServerResponse.text(body, {
    status,
    headers: { ...headers, "idempotent-replayed": "true" },
    contentType: "application/json"
  })
