import { SqlClient } from "@effect/sql/SqlClient"
import * as SqlSchema from "@effect/sql/SqlSchema"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { FlowNotFound, type Unavailable } from "#schema/Errors"
import { Flow, FlowSummary } from "#schema/Flow"
import { FlowVersion, FlowVersionSummary } from "#schema/FlowDraft"
import { iso } from "../database/iso.ts"
import { orUnavailable } from "../database/unavailable.ts"
import { Based, FlowPlace } from "./FlowsRepo.ts"
import type { Measure } from "./Measure.ts"

const NewVersion = Schema.Struct({
  ...Based.fields,
  questions: Schema.Int,
  outcomes: Schema.parseJson(Schema.Array(Schema.String)),
  longestPath: Schema.Int
})

/** Versions of flows that were published once. They are added and never change. */
export class VersionsRepo extends Context.Tag("svc/VersionsRepo")<
  VersionsRepo,
  {
    /** None where the draft is at another revision, or this revision is the published one already. */
    readonly publish: (flow: Based & Measure) => Effect.Effect<Option.Option<FlowVersionSummary>, Unavailable>
    /** The versions that are published now. */
    readonly published: (accountId: string) => Effect.Effect<ReadonlyArray<FlowSummary>, Unavailable>
    readonly bySlug: (accountId: string, slug: string) => Effect.Effect<Flow, FlowNotFound | Unavailable>
    /** Newest first, at most a hundred. */
    readonly list: (place: FlowPlace) => Effect.Effect<ReadonlyArray<FlowVersionSummary>, Unavailable>
    readonly get: (place: FlowPlace, version: number) => Effect.Effect<FlowVersion, FlowNotFound | Unavailable>
  }
>() {
  static readonly layer = Layer.effect(
    VersionsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const summary = sql`v.version, v.name, v.description, v.questions, v.outcomes, v.longest_path, ${iso(sql, "v.published_at", "published_at")}`
      const listed = sql`f.slug as flow, v.version, v.name, v.description, v.questions, v.outcomes, ${iso(sql, "v.published_at", "updated_at")}`
      const current = sql`flows f join flow_versions v on v.flow_id = f.id and v.version = f.published_version`
      const all = sql`flows f join flow_versions v on v.flow_id = f.id`

      const publish = SqlSchema.findOne({
        Request: NewVersion,
        Result: FlowVersionSummary,
        execute: ({ accountId, id, revision, questions, outcomes, longestPath }) => sql`
          with flow as (
            update flows set latest_version = latest_version + 1, published_version = latest_version + 1,
              published_revision = revision, longest_path = ${longestPath}::integer
            where account_id = ${accountId} and id = ${id} and revision = ${revision}
              and published_revision is distinct from revision
            returning *
          ), v as (
            insert into flow_versions (flow_id, version, revision, name, description, definition, questions, outcomes, longest_path)
            select id, published_version, revision, name, description, draft, ${questions}::integer, ${outcomes}::json, longest_path from flow
            returning *
          ) select ${summary} from v`
      })
      const published = SqlSchema.findAll({
        Request: Schema.String,
        Result: FlowSummary,
        execute: (accountId) =>
          sql`select ${listed} from ${current} where f.account_id = ${accountId} order by v.name, f.slug`
      })
      const bySlug = SqlSchema.findOne({
        Request: Schema.Struct({ accountId: Schema.String, slug: Schema.String }),
        Result: Flow,
        execute: ({ accountId, slug }) =>
          sql`select ${listed}, v.definition from ${current} where f.account_id = ${accountId} and f.slug = ${slug}`
      })
      const list = SqlSchema.findAll({
        Request: FlowPlace,
        Result: FlowVersionSummary,
        execute: ({ accountId, id }) =>
          sql`select ${summary} from ${all} where f.account_id = ${accountId} and f.id = ${id} order by v.version desc limit 100`
      })
      const get = SqlSchema.findOne({
        Request: Schema.Struct({ ...FlowPlace.fields, version: Schema.Int }),
        Result: FlowVersion,
        execute: ({ accountId, id, version }) => sql`
          select ${summary}, v.definition from ${all}
          where f.account_id = ${accountId} and f.id = ${id} and v.version = ${version}`
      })

      return VersionsRepo.of({
        publish: (flow) => orUnavailable(publish(flow)),
        published: (accountId) => orUnavailable(published(accountId)),
        bySlug: (accountId, slug) =>
          Effect.flatMap(
            orUnavailable(bySlug({ accountId, slug })),
            Option.match({ onNone: () => FlowNotFound.of(), onSome: (flow: Flow) => Effect.succeed(flow) })
          ),
        list: (place) => orUnavailable(list(place)),
        get: (place, version) =>
          Effect.flatMap(
            orUnavailable(get({ ...place, version })),
            Option.match({
              onNone: () => FlowNotFound.version(),
              onSome: (found: FlowVersion) => Effect.succeed(found)
            })
          )
      })
    })
  )
}
