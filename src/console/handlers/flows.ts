import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { ConsoleApi } from "#schema/ConsoleApi"
import { Visitor } from "#schema/console/Access"
import type { FlowDraft } from "#schema/FlowDraft"
import { examples } from "../../flows/ExampleGraphs.ts"
import { Flows } from "../../flows/Flows.ts"
import { Runs } from "../../flows/Runs.ts"
import { Attempts } from "../Attempts.ts"
import { Payment } from "../Payment.ts"
import { toldWhen } from "./toldWhen.ts"

/** A version stays as long as its flow, and may have a megabyte. */
const mostVersions = 60

/** The flow editor: drafts, test runs, which are paid like others, and versions. */
export const FlowDraftsHandlers = HttpApiBuilder.group(ConsoleApi, "flowDrafts", (handlers) =>
  Effect.gen(function* () {
    const flows = yield* Flows
    const runs = yield* Runs
    const payment = yield* Payment
    const attempts = yield* Attempts

    const own = <A, E, R>(work: (accountId: string) => Effect.Effect<A, E, R>) =>
      Effect.flatMap(Visitor, ({ accountId }) => work(accountId))
    const checked = (accountId: string) => (draft: FlowDraft) =>
      Effect.map(flows.faults(accountId, draft.definition), (faults) => ({ draft, faults }))

    return handlers
      .handle("listFlows", () =>
        own((accountId) => Effect.map(flows.drafts(accountId), (drafts) => ({ flows: drafts, examples })))
      )
      .handle("createFlow", ({ payload: { slug, content } }) =>
        own((accountId) => flows.create(accountId, slug, content))
      )
      .handle("getFlow", ({ path: { id } }) =>
        own((accountId) => Effect.flatMap(flows.draft({ accountId, id }), checked(accountId)))
      )
      .handle("saveFlow", ({ path: { id }, payload: { revision, content } }) =>
        own((accountId) => Effect.flatMap(flows.save({ accountId, id, revision }, content), checked(accountId)))
      )
      .handle("renameFlow", ({ path: { id }, payload: { revision, slug } }) =>
        own((accountId) => flows.rename({ accountId, id, revision }, slug))
      )
      .handle("removeFlow", ({ path: { id }, payload: { revision } }) =>
        own((accountId) => Effect.as(flows.remove({ accountId, id, revision }), {}))
      )
      .handle("testFlow", ({ path: { id }, payload: { revision, text } }) =>
        Effect.gen(function* () {
          const { accountId } = yield* Visitor
          const rehearsal = yield* runs.rehearse({ accountId, id, revision })
          return yield* payment.of(
            rehearsal.decisions,
            ({ requestId }) => rehearsal.run({ requestId, text }),
            ({ steps }) => steps.length
          )
        })
      )
      .handle("publishFlow", ({ path: { id }, payload: { revision } }) =>
        own((accountId) =>
          Effect.zipRight(
            toldWhen(attempts.count(["publish", accountId], mostVersions)),
            flows.publish({ accountId, id, revision })
          )
        )
      )
      .handle("unpublishFlow", ({ path: { id }, payload: { revision } }) =>
        own((accountId) => flows.unpublish({ accountId, id, revision }))
      )
      .handle("listVersions", ({ path: { id } }) =>
        own((accountId) => Effect.map(flows.versions({ accountId, id }), (versions) => ({ versions })))
      )
      .handle("getVersion", ({ path: { id, version } }) =>
        own((accountId) => flows.version({ accountId, id }, version))
      )
      .handle("restoreVersion", ({ path: { id, version }, payload: { revision } }) =>
        own((accountId) => Effect.flatMap(flows.restore({ accountId, id, revision }, version), checked(accountId)))
      )
  })
)
