import { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as SqlSchema from "@effect/sql/SqlSchema"
import { Context, Effect, Layer, Option, type ParseResult, Schema } from "effect"
import { FlowNotFound, type Unavailable } from "#schema/Errors"
import { FlowConflict, FlowDraft, FlowDraftSummary, SlugTaken, TooManyFlows } from "#schema/FlowDraft"
import { FlowGraph } from "#schema/FlowGraph"
import { iso } from "../database/iso.ts"
import { transaction } from "../database/transaction.ts"
import { orUnavailable } from "../database/unavailable.ts"

/** A flow of an account. */
export const FlowPlace = Schema.Struct({ accountId: Schema.String, id: Schema.String })
export type FlowPlace = typeof FlowPlace.Type

/** A flow as it was at a revision. */
export const Based = Schema.Struct({ ...FlowPlace.fields, revision: Schema.Int })
export type Based = typeof Based.Type

const Content = Schema.Struct({
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  definition: Schema.parseJson(FlowGraph)
})
const NewRow = Schema.Struct({ ...FlowPlace.fields, slug: Schema.String, ...Content.fields })

/** Rows of flows; every statement names the account, and a change the revision it is based on. */
export class FlowsRepo extends Context.Tag("svc/FlowsRepo")<
  FlowsRepo,
  {
    readonly insert: (
      row: typeof NewRow.Type,
      most: number
    ) => Effect.Effect<FlowDraft, SlugTaken | TooManyFlows | Unavailable>
    readonly list: (accountId: string) => Effect.Effect<ReadonlyArray<FlowDraftSummary>, Unavailable>
    readonly get: (place: FlowPlace) => Effect.Effect<FlowDraft, FlowNotFound | Unavailable>
    readonly save: (
      flow: Based & typeof Content.Type
    ) => Effect.Effect<FlowDraft, FlowConflict | FlowNotFound | Unavailable>
    readonly rename: (
      flow: Based & { readonly slug: string }
    ) => Effect.Effect<FlowDraft, SlugTaken | FlowConflict | FlowNotFound | Unavailable>
    readonly unpublish: (flow: Based) => Effect.Effect<FlowDraft, FlowConflict | FlowNotFound | Unavailable>
    /** Its versions go with it. */
    readonly remove: (flow: Based) => Effect.Effect<FlowDraft, FlowConflict | FlowNotFound | Unavailable>
  }
>() {
  static readonly layer = Layer.effect(
    FlowsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const summary = sql`id, slug, name, description, revision, published_version, published_revision,
        ${iso(sql, "flows.updated_at", "updated_at")}`
      const draft = sql`${summary}, draft as definition`
      const changed = sql`revision = revision + 1, updated_at = clock_timestamp()`
      const at = ({ accountId, id, revision }: Based) =>
        sql`account_id = ${accountId} and id = ${id} and revision = ${revision}::bigint`

      const insert = SqlSchema.single({
        Request: NewRow,
        Result: FlowDraft,
        execute: ({ id, accountId, slug, name, description, definition }) => sql`
          insert into flows (id, account_id, slug, name, description, draft)
          values (${id}, ${accountId}, ${slug}, ${name}, ${description}, ${definition}::json) returning ${draft}`
      })
      const list = SqlSchema.findAll({
        Request: Schema.String,
        Result: FlowDraftSummary,
        execute: (accountId) => sql`select ${summary} from flows where account_id = ${accountId} order by name, slug`
      })
      const get = SqlSchema.findOne({
        Request: FlowPlace,
        Result: FlowDraft,
        execute: ({ accountId, id }) => sql`select ${draft} from flows where account_id = ${accountId} and id = ${id}`
      })
      const save = SqlSchema.findOne({
        Request: Schema.Struct({ ...Based.fields, ...Content.fields }),
        Result: FlowDraft,
        execute: ({ name, description, definition, ...based }) => sql`
          update flows set name = ${name}, description = ${description}, draft = ${definition}::json, ${changed}
          where ${at(based)} returning ${draft}`
      })
      const rename = SqlSchema.findOne({
        Request: Schema.Struct({ ...Based.fields, slug: Schema.String }),
        Result: FlowDraft,
        // A draft that is published as it stands still is, under its new slug.
        execute: ({ slug, ...based }) => sql`
          update flows set slug = ${slug}, ${changed},
            published_revision = case published_revision when revision then revision + 1 else published_revision end
            where ${at(based)} returning ${draft}`
      })
      const unpublish = SqlSchema.findOne({
        Request: Based,
        Result: FlowDraft,
        execute: (based) => sql`
          update flows set published_version = null, published_revision = null, longest_path = null, ${changed}
          where ${at(based)} returning ${draft}`
      })
      const remove = SqlSchema.findOne({
        Request: Based,
        Result: FlowDraft,
        execute: (based) => sql`delete from flows where ${at(based)} returning ${draft}`
      })
      const slugs = SqlSchema.findAll({
        Request: Schema.String,
        Result: Schema.Struct({ id: Schema.String, slug: Schema.String }),
        execute: (accountId) => sql`select id, slug from flows where account_id = ${accountId}`
      })

      const found = (place: FlowPlace) =>
        Effect.flatMap(
          orUnavailable(get(place)),
          Option.match({ onNone: () => FlowNotFound.draft(), onSome: (flow: FlowDraft) => Effect.succeed(flow) })
        )
      /** A change that met no row was based on an older revision, unless the flow is gone. */
      const unlessStale = (
        place: FlowPlace,
        change: Effect.Effect<Option.Option<FlowDraft>, SqlError | ParseResult.ParseError>
      ) =>
        Effect.flatMap(
          orUnavailable(change),
          Option.match({
            onNone: () => Effect.flatMap(found(place), ({ revision }) => FlowConflict.at(revision)),
            onSome: (flow) => Effect.succeed(flow)
          })
        )
      /** The slugs of an account, which nobody else changes before the transaction ends. */
      const lockedSlugs = (accountId: string) =>
        orUnavailable(Effect.zipRight(sql`select 1 from accounts where id = ${accountId} for update`, slugs(accountId)))

      const insertUnlessTaken = Effect.fnUntraced(function* (row: typeof NewRow.Type, most: number) {
        const taken = yield* lockedSlugs(row.accountId)
        if (taken.some(({ slug }) => slug === row.slug)) return yield* SlugTaken.of()
        if (taken.length >= most) return yield* TooManyFlows.of(most)
        return yield* insert(row).pipe(Effect.catchTag("NoSuchElementException", Effect.die), orUnavailable)
      })
      const renameUnlessTaken = Effect.fnUntraced(function* (flow: Based & { readonly slug: string }) {
        const taken = yield* lockedSlugs(flow.accountId)
        if (taken.some(({ id, slug }) => slug === flow.slug && id !== flow.id)) return yield* SlugTaken.of()
        return yield* unlessStale(flow, rename(flow))
      })

      return FlowsRepo.of({
        insert: (row, most) => insertUnlessTaken(row, most).pipe(transaction(sql)),
        list: (accountId) => orUnavailable(list(accountId)),
        get: found,
        save: (flow) => unlessStale(flow, save(flow)),
        rename: (flow) => renameUnlessTaken(flow).pipe(transaction(sql)),
        unpublish: (flow) => unlessStale(flow, unpublish(flow)),
        remove: (flow) => unlessStale(flow, remove(flow))
      })
    })
  )
}
