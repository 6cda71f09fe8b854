import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import {
  InsufficientCreditsBody,
  OverloadedBody,
  RateLimitedBody,
  UnauthenticatedBody,
  UnavailableBody
} from "../ErrorBodies.ts"
import { request, text } from "../Field.ts"
import { Limits } from "../Limits.ts"
import { Moderation } from "../Moderation.ts"
import { InvalidRequestBody } from "../Validation.ts"
import { SignedIn } from "./Access.ts"

/** What was found in a text, with the request's id and its cost in micros. */
export const Moderated = Schema.Struct({
  result: Moderation,
  decisions: Schema.Int,
  cost_micros: Schema.Int,
  request_id: Schema.String
}).annotations({ identifier: "Moderated" })
export type Moderated = typeof Moderated.Type

/** One text, moderated. */
export class ModerationApi extends HttpApiGroup.make("moderation")
  .add(
    HttpApiEndpoint.post("moderate", "/moderate")
      .setPayload(request("TextToModerate", { text: text(Limits.renderedState) }))
      .addSuccess(Moderated)
  )
  .addError(InvalidRequestBody)
  .addError(InsufficientCreditsBody)
  .addError(UnavailableBody)
  .addError(OverloadedBody)
  .addError(UnauthenticatedBody)
  .addError(RateLimitedBody)
  .middleware(SignedIn) {}
