import { Context, Effect, Layer, Option } from "effect"
import type { FlowNotFound, Unavailable } from "#schema/Errors"
import type { Flow, FlowSummary } from "#schema/Flow"
import {
  FlowConflict,
  type FlowContent,
  type FlowDraft,
  type FlowDraftSummary,
  FlowInvalid,
  type FlowVersion,
  type FlowVersionSummary,
  type SlugTaken,
  type TooManyFlows
} from "#schema/FlowDraft"
import type { FlowFault } from "#schema/FlowFault"
import type { FlowGraph } from "#schema/FlowGraph"
import { Limits } from "#schema/Limits"
import { randomId } from "../database/id.ts"
import { Decisions } from "../decisions/Decisions.ts"
import { Models } from "../models/Models.ts"
import { check } from "./Check.ts"
import { type Based, type FlowPlace, FlowsRepo } from "./FlowsRepo.ts"
import { type Measure, measure } from "./Measure.ts"
import type { Catalogue } from "./Question.ts"
import { VersionsRepo } from "./VersionsRepo.ts"

type Stale = FlowConflict | FlowNotFound | Unavailable

/**
 * Flows of accounts: a draft each, and the versions that were made of it.
 * A change names the revision it is based on; where the draft is at another by now, it fails and overwrites nothing.
 */
export class Flows extends Context.Tag("svc/Flows")<
  Flows,
  {
    /** The published flows, as /v1 sees them. */
    readonly list: (accountId: string) => Effect.Effect<ReadonlyArray<FlowSummary>, Unavailable>
    readonly get: (accountId: string, slug: string) => Effect.Effect<Flow, FlowNotFound | Unavailable>

    /** All flows, published or not. */
    readonly drafts: (accountId: string) => Effect.Effect<ReadonlyArray<FlowDraftSummary>, Unavailable>
    readonly draft: (place: FlowPlace) => Effect.Effect<FlowDraft, FlowNotFound | Unavailable>
    /** Everything that keeps a graph from being published by the account. */
    readonly faults: (accountId: string, graph: FlowGraph) => Effect.Effect<ReadonlyArray<FlowFault>, Unavailable>
    /** Of a graph without faults. */
    readonly measured: (accountId: string, graph: FlowGraph) => Effect.Effect<Measure, FlowInvalid | Unavailable>
    readonly create: (
      accountId: string,
      slug: string,
      content: FlowContent
    ) => Effect.Effect<FlowDraft, SlugTaken | TooManyFlows | Unavailable>
    readonly save: (flow: Based, content: FlowContent) => Effect.Effect<FlowDraft, Stale>
    /** The new slug counts at once, for runs of the published version too. */
    readonly rename: (flow: Based, slug: string) => Effect.Effect<FlowDraft, SlugTaken | Stale>
    readonly remove: (flow: Based) => Effect.Effect<void, Stale>

    /** Makes the draft the next version, which /v1 runs from now on; a draft that is published already stays as it is. */
    readonly publish: (flow: Based) => Effect.Effect<FlowVersionSummary, FlowInvalid | Stale>
    /** Takes the flow away from /v1. Its versions stay. */
    readonly unpublish: (flow: Based) => Effect.Effect<FlowDraft, Stale>
    /** Newest first, at most a hundred. */
    readonly versions: (
      place: FlowPlace
    ) => Effect.Effect<ReadonlyArray<FlowVersionSummary>, FlowNotFound | Unavailable>
    readonly version: (place: FlowPlace, version: number) => Effect.Effect<FlowVersion, FlowNotFound | Unavailable>
    /** Makes the draft what the version was. */
    readonly restore: (flow: Based, version: number) => Effect.Effect<FlowDraft, Stale>
  }
>() {
  static readonly layerNoDeps = Layer.effect(
    Flows,
    Effect.gen(function* () {
      const repo = yield* FlowsRepo
      const versions = yield* VersionsRepo
      const { asked } = yield* Decisions
      const models = yield* Models

      const catalogue = (accountId: string) =>
        Effect.map(models.list(accountId), (listed): Catalogue => {
          const names = new Set(listed.map(({ name }) => name))
          return { asked, hasModel: (name) => names.has(name) || name.endsWith("-latest") }
        })
      const faults = (accountId: string, graph: FlowGraph) =>
        Effect.map(catalogue(accountId), (known) => check(graph, known))

      const measured = Effect.fnUntraced(function* (accountId: string, graph: FlowGraph) {
        const known = yield* catalogue(accountId)
        const found = check(graph, known)
        return found.length > 0 ? yield* FlowInvalid.because(found) : measure(graph, known)
      })

      const save = (flow: Based, { name, description, definition }: FlowContent) =>
        repo.save({ ...flow, name, description: description ?? null, definition })

      const publish = Effect.fn("Flows.publish")(function* (flow: Based) {
        const { revision, definition } = yield* repo.get(flow)
        if (revision !== flow.revision) return yield* FlowConflict.at(revision)
        const made = yield* versions.publish({ ...flow, ...(yield* measured(flow.accountId, definition)) })
        if (Option.isSome(made)) return made.value
        const now = yield* repo.get(flow)
        if (now.published_version === null || now.published_revision !== flow.revision)
          return yield* FlowConflict.at(now.revision)
        return yield* versions.get(flow, now.published_version)
      })

      const restore = Effect.fn("Flows.restore")(function* (flow: Based, version: number) {
        const { name, description, definition } = yield* versions.get(flow, version)
        return yield* repo.save({ ...flow, name, description, definition })
      })

      return Flows.of({
        list: versions.published,
        get: versions.bySlug,
        drafts: repo.list,
        draft: repo.get,
        faults,
        measured,
        create: (accountId, slug, { name, description, definition }) =>
          repo.insert(
            { id: `flow_${randomId()}`, accountId, slug, name, description: description ?? null, definition },
            Limits.flow.perAccount
          ),
        save,
        rename: (flow, slug) => repo.rename({ ...flow, slug }),
        remove: (flow) => Effect.asVoid(repo.remove(flow)),
        publish,
        unpublish: repo.unpublish,
        versions: (place) => Effect.zipRight(repo.get(place), versions.list(place)),
        version: versions.get,
        restore
      })
    })
  )
  static readonly layer = this.layerNoDeps.pipe(Layer.provide([FlowsRepo.layer, VersionsRepo.layer]))
}
