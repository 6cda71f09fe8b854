import { HttpServerResponse } from "@effect/platform"
import { Schema } from "effect"
import type { Refusal } from "#schema/Authorization"
import {
  InsufficientCreditsBody,
  RateLimitedBody,
  StandardError,
  standardError,
  UnauthenticatedBody,
  UnavailableBody
} from "#schema/ErrorBodies"
import {
  OpenAiInvalid,
  OpenAiQuota,
  OpenAiRateLimited,
  OpenAiUnauthenticated,
  OpenAiUnavailable,
  openAiError
} from "#schema/OpenAiErrors"
import { InvalidRequestBody } from "#schema/Validation"

const json = (status: number, body: unknown) => HttpServerResponse.unsafeJson(body, { status })

/** How answers are worded that are given before or beside an endpoint. */
export interface Dialect {
  readonly refusal: (status: number, errorType: string, message: string) => HttpServerResponse.HttpServerResponse
  /** What the door answers when it has to speak for an endpoint that was never reached. */
  readonly refused: (error: Refusal) => HttpServerResponse.HttpServerResponse
}

const refused = (error: Refusal) => {
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

const openAiRefused = (error: Refusal) => {
  switch (error._tag) {
    case "Unauthenticated":
      return json(401, Schema.encodeSync(OpenAiUnauthenticated)(error))
    case "RateLimited":
      return json(429, Schema.encodeSync(OpenAiRateLimited)(error))
    case "InsufficientCredits":
      return json(429, Schema.encodeSync(OpenAiQuota)(error))
    case "InvalidRequest":
      return json(400, Schema.encodeSync(OpenAiInvalid)(error))
    case "Unavailable":
      return json(503, Schema.encodeSync(OpenAiUnavailable)(error))
  }
}

const standard: Dialect = {
  refusal: (status, errorType, message) =>
    json(status, Schema.encodeSync(StandardError)(standardError(errorType, message))),
  refused
}

const openAi: Dialect = {
  refusal: (status, errorType, message) =>
    json(
      status,
      status < 500
        ? openAiError("invalid_request_error", errorType, message)
        : openAiError("server_error", null, message)
    ),
  refused: openAiRefused
}

/** OpenAI's on the paths that OpenAI's clients call, our own everywhere else. */
export const dialectOf = (path: string): Dialect => (/^\/v1\/moderations(\/|$)/i.test(path) ? openAi : standard)
