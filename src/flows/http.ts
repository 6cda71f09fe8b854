import { HttpApiBuilder } from "@effect/platform"
import { Effect, Schema } from "effect"
import { Api } from "#schema/Api"
import { Caller } from "#schema/Authorization"
import { FlowNotFound } from "#schema/Errors"
import { FlowSlug } from "#schema/FlowDraft"
import { Flows } from "./Flows.ts"
import { Runs } from "./Runs.ts"

const isSlug = Schema.is(FlowSlug)

/** GET /v1/flows, GET /v1/flows/{slug}, POST /v1/flows/{slug}/run. */
export const FlowsRoutes = HttpApiBuilder.group(Api, "flows", (handlers) =>
  Effect.gen(function* () {
    const flows = yield* Flows
    const runs = yield* Runs
    return handlers
      .handle("listFlows", () =>
        Effect.gen(function* () {
          const { accountId } = yield* (yield* Caller).enter
          return { flows: yield* flows.list(accountId) }
        })
      )
      .handle("getFlow", ({ path: { slug } }) =>
        Effect.gen(function* () {
          const { accountId } = yield* (yield* Caller).enter
          return isSlug(slug) ? yield* flows.get(accountId, slug) : yield* FlowNotFound.of()
        })
      )
      .handle("runFlow", ({ path: { slug }, payload: { text, lang } }) =>
        Effect.gen(function* () {
          const caller = yield* Caller
          // What cannot be a slug never reaches the database, which knows no U+0000.
          if (!isSlug(slug)) {
            yield* caller.enter
            return yield* FlowNotFound.of()
          }
          const { accountId, reserved } = yield* caller.admit({ decisions: 0, flow: slug })
          const subject = { requestId: caller.requestId, text, ...(lang === undefined ? {} : { lang }) }
          const run = yield* runs.run(accountId, slug, subject, reserved)
          yield* caller.charge(run.steps.length)
          return run
        })
      )
  })
)
