import { HttpServerResponse } from "@effect/platform"
import { Schema } from "effect"
import { InsufficientCreditsBody, RateLimitedBody, StandardError, standardError, UnauthenticatedBody, UnavailableBody } from "#schema/ErrorBodies"
import type { InsufficientCredits, InvalidRequest, RateLimited, Unauthenticated, Unavailable } from "#schema/Errors"
import { InvalidRequestBody } from "#schema/Validation"

const json = (status: number, body: unknown) => HttpServerResponse.unsafeJson(body, { status })

/** An error of the service's own dialect, given beside an endpoint. */
export const refusal = (status: number, errorType: string, message: string) =>
  json(status, Schema.encodeSync(StandardError)(standardError(errorType, message)))

/** What the door answers when it has to speak for an endpoint that was never reached. */
export const refused = (error: Unauthenticated | RateLimited | InsufficientCredits | InvalidRequest | Unavailable) => {
  switch (error._tag) {
    case "Unauthenticated":
      return json(401, Schema.encodeSync(UnauthenticatedBody)(error))
    case "RateLimited":
      return json(429, Schema.encodeSync(RateLimitedBody)(error))
    case "InsufficientCredits":
      return json(402, Schema.encodeSync(InsufficientCreditsBody)(error))
    case "InvalidRequest":
      return json(422, Schema.encodeSync(InvalidRequestBody)(error))
    case "Unavailable":
      return json(503, Schema.encodeSync(UnavailableBody)(error))
  }
}
