import { Rpc, RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { AccountNotFound } from "../Account.ts"
import { Decision, DecisionSpec } from "../Decision.ts"
import { FlowNotFound, InsufficientCredits, InvalidRequest, Overloaded, RateLimited, Unavailable } from "../Errors.ts"
import { list, text } from "../Field.ts"
import { FlowRun } from "../Flow.ts"
import { Limits } from "../Limits.ts"
import { Moderation } from "../Moderation.ts"
import { SystemOneRequest, SystemOneResponse } from "../QuestionSet.ts"

/**
 * On whose behalf, and who pays: the account, unless the call is marked `internal`.
 * What is not paid for is bounded all the same: by the account, which there has to be, by the sizes below, and by a share of the
 * service's queue that all such calls wait for together, so that they leave the rest to those who pay.
 */
const payer = {
  account: Schema.String,
  billing: Schema.optionalWith(Schema.Literal("account", "internal"), { exact: true })
}

/** Why an answer was not given. */
export const AskingError = Schema.Union(
  AccountNotFound,
  InsufficientCredits,
  RateLimited,
  InvalidRequest,
  Overloaded,
  Unavailable
)
export type AskingError = typeof AskingError.Type

/**
 * One text of many: its place in the list, and its decision or why there is none. What keeps the account from having more
 * texts decided, such as its balance, is no text's own: it ends the stream.
 */
export const Decided = Schema.Struct({
  index: Schema.Int,
  outcome: Schema.Either({
    right: Decision,
    left: Schema.Union(InvalidRequest, Overloaded, Unavailable)
  })
})
export type Decided = typeof Decided.Type

/** Texts that one `DecideMany` takes. */
export const mostTexts = 10_000

/** What /v1 answers, for internal services. */
export class AskingRpcs extends RpcGroup.make(
  Rpc.make("Decide", {
    payload: Schema.Struct({ ...payer, spec: DecisionSpec, text: text(Limits.text) }),
    success: Decision,
    error: AskingError
  }),
  /** Each decision as soon as it is there, in any order, charged when it is handed to the connection: who leaves pays for what was decided until then. */
  Rpc.make("DecideMany", {
    payload: Schema.Struct({ ...payer, spec: DecisionSpec, texts: list(text(Limits.text), 1, mostTexts) }),
    success: Decided,
    error: AskingError,
    stream: true
  }),
  Rpc.make("AnswerSet", {
    payload: Schema.Struct({ ...payer, request: SystemOneRequest }),
    success: SystemOneResponse,
    error: AskingError
  }),
  Rpc.make("Moderate", {
    payload: Schema.Struct({ ...payer, texts: list(text(Limits.renderedState), 1, Limits.moderationInputs) }),
    success: Schema.Array(Moderation),
    error: AskingError
  }),
  Rpc.make("RunFlow", {
    payload: Schema.Struct({
      ...payer,
      slug: Schema.String,
      text: text(Limits.text),
      lang: Schema.optionalWith(Schema.String, { exact: true })
    }),
    success: FlowRun,
    error: Schema.Union(AskingError, FlowNotFound)
  })
) {}
