import { createHash } from "node:crypto"
import { Headers, HttpServerError, type HttpServerRequest } from "@effect/platform"
import { Effect, Either, Ref } from "effect"
import type { Exchange } from "./Exchange.ts"
import type { Intake } from "./Intake.ts"
import { readJson } from "./Json.ts"

/** The request with a body that is read as JSON whatever its content type says: bounded, strict, and hashed for retries. */
export const withJsonBody = (
  request: HttpServerRequest.HttpServerRequest,
  exchange: Exchange,
  intake: typeof Intake.Service
): HttpServerRequest.HttpServerRequest => {
  const json = intake.read(request, exchange).pipe(
    Effect.tap((bytes) => Ref.set(exchange.bodyHash, createHash("sha256").update(bytes).digest("hex"))),
    Effect.flatMap((bytes) =>
      Either.match(readJson(bytes), {
        onLeft: () => Effect.fail(new HttpServerError.RequestError({ request, reason: "Decode" })),
        onRight: Effect.succeed
      })
    )
  )
  const asJson: HttpServerRequest.HttpServerRequest = Object.create(request, {
    json: { value: json },
    headers: { value: Headers.set(request.headers, "content-type", "application/json") }
  })
  return asJson
}
