import { createHash } from "node:crypto"
import { Headers, HttpServerError, type HttpServerRequest } from "@effect/platform"
import { Effect, Either, Ref } from "effect"
import type { Exchange } from "./Exchange.ts"
import type { Intake } from "./Intake.ts"
import { readJson } from "./Json.ts"

/**
 * The request with a body that is bounded, and hashed for retries: as text, or strictly as JSON, whatever its content
 * type says.
 */
export const withBody = (
  request: HttpServerRequest.HttpServerRequest,
  exchange: Exchange,
  intake: typeof Intake.Service
): HttpServerRequest.HttpServerRequest => {
  const bytes = intake
    .read(request, exchange)
    .pipe(Effect.tap((bytes) => Ref.set(exchange.bodyHash, createHash("sha256").update(bytes).digest("hex"))))
  const json = Effect.flatMap(bytes, (bytes) =>
    Either.match(readJson(bytes), {
      onLeft: () => Effect.fail(new HttpServerError.RequestError({ request, reason: "Decode" })),
      onRight: Effect.succeed
    })
  )
  const bounded: HttpServerRequest.HttpServerRequest = Object.create(request, {
    json: { value: json },
    text: { value: Effect.map(bytes, (bytes) => bytes.toString("utf8")) },
    headers: { value: Headers.set(request.headers, "content-type", "application/json") }
  })
  return bounded
}
