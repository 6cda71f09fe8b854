import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "#schema/Api"
import { Caller } from "#schema/Authorization"
import type { InvalidRequest } from "#schema/Errors"
import { Price } from "../billing/Price.ts"
import { itemFailure, unpaid } from "../http/BatchItem.ts"
import { Decisions } from "./Decisions.ts"

/** Texts of one batch that are decided at a time: enough to keep the workers busy, few enough to leave the queue to others. */
const atOnce = 8

/** A fault of the spec, which all texts of a batch share, fails the batch and not each text. */
const ofTheSpec = ({ detail }: InvalidRequest) => detail.some(({ loc }) => loc[1] === "model")

/** POST /v1/decide and /v1/decide/batch. */
export const DecisionsRoutes = HttpApiBuilder.group(Api, "decisions", (handlers) =>
  Effect.gen(function* () {
    const decisions = yield* Decisions
    const price = yield* Price
    return handlers
      .handle("decide", ({ payload: { text, ...spec } }) =>
        Effect.gen(function* () {
          const caller = yield* Caller
          const { accountId } = yield* caller.admit({ decisions: 1 })
          const decision = yield* decisions.decide({ accountId, requestId: caller.requestId, spec, text })
          yield* caller.charge(1)
          return decision
        })
      )
      .handle("decideBatch", ({ payload: { texts, ...spec } }) =>
        Effect.gen(function* () {
          const caller = yield* Caller
          const { accountId, reserved } = yield* caller.admit({ decisions: texts.length, least: 1 })
          const results = yield* Effect.forEach(
            texts,
            (text, index) =>
              index < reserved
                ? decisions
                    .decide({ accountId, requestId: caller.requestId, spec, text, loc: ["body", "texts", index] })
                    .pipe(
                      Effect.map((decision) => ({ index, status: 200, ...decision })),
                      Effect.catchAll((error) => {
                        if (error._tag === "InvalidRequest" && ofTheSpec(error)) return Effect.fail(error)
                        const { status, body } = itemFailure(error)
                        return Effect.succeed({ index, status, detail: body.detail })
                      })
                    )
                : Effect.succeed({ index, status: unpaid.status, detail: unpaid.body.detail }),
            { concurrency: atOnce }
          )
          const answered = results.filter(({ status }) => status === 200).length
          yield* caller.charge(answered)
          return {
            results,
            usage: { decisions: answered, failed: texts.length - answered, ...price.of(answered) },
            request_id: caller.requestId
          }
        })
      )
  })
)

/** GET /v1/templates. */
export const TemplatesRoutes = HttpApiBuilder.group(Api, "templates", (handlers) =>
  Effect.gen(function* () {
    const { templates } = yield* Decisions
    return handlers.handle("listTemplates", () =>
      Effect.gen(function* () {
        const caller = yield* Caller
        yield* caller.enter
        return { templates }
      })
    )
  })
)
