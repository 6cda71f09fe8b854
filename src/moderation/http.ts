import { HttpApiBuilder, HttpApp, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Caller } from "#schema/Authorization"
import { Limits } from "#schema/Limits"
import { OpenAiApi } from "#schema/OpenAiApi"
import { Moderation } from "./Moderation.ts"

/** Texts of one request that are moderated at a time: enough to keep the workers busy, few enough to leave the queue to others. */
const atOnce = 8

/** OpenAI's clients retry a 429 unless they are told that it will not help. */
const doNotRetry = HttpApp.appendPreResponseHandler((_, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "x-should-retry", "false"))
)

/** POST /v1/moderations. */
export const ModerationsRoutes = HttpApiBuilder.group(OpenAiApi, "moderations", (handlers) =>
  Effect.gen(function* () {
    const moderation = yield* Moderation
    return handlers.handle("moderate", ({ payload: { input, model } }) =>
      Effect.gen(function* () {
        const caller = yield* Caller
        const decisions = input.length * Limits.moderationDecisions
        const { accountId } = yield* caller
          .admit({ decisions })
          .pipe(Effect.tapErrorTag("InsufficientCredits", () => doNotRetry))
        const { requestId } = caller
        const results = yield* Effect.forEach(input, (text) => moderation.moderate({ accountId, requestId, text }), {
          concurrency: atOnce
        })
        yield* caller.charge(decisions)
        return { id: requestId.replace("req_", "modr-"), model: model ?? "omni-moderation-latest", results }
      })
    )
  })
)
