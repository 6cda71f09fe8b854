import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "#schema/Api"
import { Caller } from "#schema/Authorization"
import { itemFailure, unpaid } from "../http/BatchItem.ts"
import { QuestionSets } from "./QuestionSets.ts"

/** Sets of one batch that are asked at a time: enough to keep the workers busy, few enough to leave the queue to others. */
const atOnce = 8

/** POST /v1/systemone and /v1/systemone/batch. */
export const QuestionSetsRoutes = HttpApiBuilder.group(Api, "questionSets", (handlers) =>
  Effect.gen(function* () {
    const sets = yield* QuestionSets
    return handlers
      .handle("systemOne", ({ payload }) =>
        Effect.gen(function* () {
          const caller = yield* Caller
          const { accountId } = yield* caller.admit({ decisions: payload.questions.length })
          const response = yield* sets.answer({ accountId, requestId: caller.requestId }, payload)
          yield* caller.charge(payload.questions.length)
          return response
        })
      )
      .handle("systemOneBatch", ({ payload: { requests } }) =>
        Effect.gen(function* () {
          const caller = yield* Caller
          const costs = requests.map(({ questions }) => questions.length)
          const { accountId, reserved } = yield* caller.admit({
            decisions: costs.reduce((sum, cost) => sum + cost, 0),
            least: costs[0] ?? 0
          })
          const paid = payable(costs, reserved)
          const responses = yield* Effect.forEach(
            requests,
            (request, index) =>
              paid[index] === true
                ? sets.answer({ accountId, requestId: caller.requestId }, request).pipe(
                    Effect.map((body) => ({ index, status: 200, body })),
                    Effect.catchAll((error) => Effect.succeed({ index, ...itemFailure(error) }))
                  )
                : Effect.succeed({ index, ...unpaid }),
            { concurrency: atOnce }
          )
          yield* caller.charge(
            responses.reduce((sum, { status, index }) => sum + (status === 200 ? (costs[index] ?? 0) : 0), 0)
          )
          return { responses, request_id: caller.requestId }
        })
      )
  })
)

/** Which items the reservation covers, taken in order: one that is too dear does not keep a later, cheaper one out. */
const payable = (costs: ReadonlyArray<number>, reserved: number): ReadonlyArray<boolean> => {
  let left = reserved
  return costs.map((cost) => {
    if (cost > left) return false
    left -= cost
    return true
  })
}
