import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { Decision } from "../Decision.ts"
import {
  InsufficientCreditsBody,
  OverloadedBody,
  RateLimitedBody,
  UnauthenticatedBody,
  UnavailableBody
} from "../ErrorBodies.ts"
import { boolean, list, optional, request, ruled, string, text } from "../Field.ts"
import { Limits } from "../Limits.ts"
import { SystemOneResponse } from "../QuestionSet.ts"
import { SetQuestion, sameId } from "../SetQuestion.ts"
import { TemplateName } from "../Template.ts"
import { InvalidRequestBody } from "../Validation.ts"
import { SignedIn } from "./Access.ts"

const Id = Schema.String.pipe(
  Schema.filter((id) => id !== "__proto__", {
    message: () => "value_error: Value error, '__proto__' cannot be the id of a question"
  })
)

/** A question set whose order is kept: `questions` are pairs of an id and a question. */
export const AskRequest = request("AskRequest", {
  state: Schema.Union(Schema.String, Schema.Object).annotations({
    message: () => ({ message: "value_error: The state is a text, an object or a list", override: true })
  }),
  model: string,
  questions: ruled(list(Schema.Tuple(Id, SetQuestion), 1, Limits.questionsPerSet), sameId),
  cache: optional(boolean)
})
export type AskRequest = typeof AskRequest.Type

/** A text for one of the ready-made decisions. */
export const AskTemplateRequest = request("AskTemplateRequest", {
  template: TemplateName,
  text: text(Limits.text),
  model: string,
  cache: optional(boolean)
})

/** Asking the model from the console; billed to the account like a request with a key. */
export class AskApi extends HttpApiGroup.make("ask")
  .add(HttpApiEndpoint.post("ask", "/ask").setPayload(AskRequest).addSuccess(SystemOneResponse))
  .add(HttpApiEndpoint.post("askTemplate", "/ask/template").setPayload(AskTemplateRequest).addSuccess(Decision))
  .addError(InvalidRequestBody)
  .addError(InsufficientCreditsBody)
  .addError(UnavailableBody)
  .addError(OverloadedBody)
  .addError(UnauthenticatedBody)
  .addError(RateLimitedBody)
  .middleware(SignedIn) {}
