import { SqlClient } from "@effect/sql/SqlClient"
import * as SqlSchema from "@effect/sql/SqlSchema"
import { Context, Duration, Effect, Layer, Schema } from "effect"
import type { Unavailable } from "#schema/Errors"
import { Storable } from "#schema/Storable"
import { failedUnavailable } from "../database/unavailable.ts"
import { StoredAnswer } from "./StoredAnswer.ts"

/** A request as `admit` of sql/0004_admission reads it. */
export const Entry = Schema.Struct({
  request_id: Storable,
  hash: Schema.NullOr(Storable),
  account: Schema.NullOr(Storable),
  counted: Schema.Boolean,
  default_limit: Schema.Int,
  wanted: Schema.Int,
  least: Schema.Int,
  price: Schema.Int,
  flow: Schema.NullOr(Storable),
  replay_key: Schema.NullOr(Storable),
  request_hash: Schema.NullOr(Storable),
  replays: Schema.Boolean
})
export type Entry = typeof Entry.Type

/** What became of a request at the door. */
export const Verdict = Schema.Struct({
  outcome: Schema.Literal(
    "admitted",
    "unauthenticated",
    "rate_limited",
    "insufficient",
    "replayed",
    "running",
    "reused"
  ),
  account_id: Schema.NullOr(Schema.String),
  key_id: Schema.NullOr(Schema.String),
  granted: Schema.NumberFromString,
  rate_limit: Schema.NullOr(Schema.Int),
  retry_after: Schema.NullOr(Schema.Int),
  answer_status: Schema.NullOr(Schema.Int),
  answer_headers: Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.String })),
  answer_body: Schema.NullOr(Schema.String)
})
export type Verdict = typeof Verdict.Type

/** What a reservation turns into. */
export const Charge = Schema.Struct({
  request_id: Storable,
  account: Storable,
  decisions: Schema.Int,
  price: Schema.Int,
  status: Schema.NullOr(Schema.Int),
  headers: Schema.NullOr(StoredAnswer.fields.headers),
  body: Schema.NullOr(Storable)
})
export type Charge = typeof Charge.Type

/** A request that is to have no effect. Its account, where it is known; a charge can only be found with it. */
export const Undone = Schema.Struct({ request_id: Storable, account: Schema.NullOr(Storable) })
export type Undone = typeof Undone.Type

const ids = Schema.parseJson(Schema.Array(Schema.String))

const Sweep = Schema.Struct({
  instance: Schema.String,
  lease: Schema.DurationFromSelf,
  answersKept: Schema.DurationFromSelf,
  /** Requests that the instance has open. */
  known: ids,
  /** What the sweep before returned. */
  since: Schema.NullOr(Schema.String)
})

const rows = <A, I>(schema: Schema.Schema<A, I>) => Schema.parseJson(Schema.Array(schema))

/** The database's side of admission: one call for many requests. `instance` names the process that holds the reservations. */
export class AdmissionRepo extends Context.Tag("svc/AdmissionRepo")<
  AdmissionRepo,
  {
    readonly admit: (
      instance: string,
      entries: ReadonlyArray<Entry>
    ) => Effect.Effect<ReadonlyArray<Verdict>, Unavailable>
    /** Whether each charge went through; false where the reservation had been given back. `sent` are charged earlier, and final. */
    readonly settle: (
      instance: string,
      charges: ReadonlyArray<Charge>,
      sent: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<boolean>, Unavailable>
    /** Takes back whatever became of these requests, for each once. */
    readonly undo: (requests: ReadonlyArray<Undone>) => Effect.Effect<ReadonlyArray<true>, Unavailable>
    /** Renews the instance's lease, returns what nobody holds any more, forgets old answers. */
    readonly sweep: (sweep: typeof Sweep.Type) => Effect.Effect<string, Unavailable>
  }
>() {
  static readonly layer = Layer.effect(
    AdmissionRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const admit = SqlSchema.findAll({
        Request: Schema.Struct({ instance: Schema.String, entries: rows(Entry) }),
        Result: Verdict,
        execute: ({ instance, entries }) => sql`select * from admit(${instance}, ${entries}::jsonb) order by place`
      })
      const settle = SqlSchema.findAll({
        Request: Schema.Struct({ instance: Schema.String, charges: rows(Charge), sent: ids }),
        Result: Schema.Struct({ settled: Schema.Boolean }),
        execute: ({ instance, charges, sent }) => sql`
          select settled from settle(${instance}, ${charges}::jsonb,
            array(select jsonb_array_elements_text(${sent}::jsonb))) order by place`
      })

      const undo = SqlSchema.void({
        Request: rows(Undone),
        execute: (requests) => sql`select undo(${requests}::jsonb)`
      })
      const sweep = SqlSchema.single({
        Request: Sweep,
        Result: Schema.Struct({ moment: Schema.String }),
        execute: ({ instance, lease, answersKept, known, since }) => sql`
          select sweep(${instance}, make_interval(secs => ${Duration.toSeconds(lease)}),
            make_interval(secs => ${Duration.toSeconds(answersKept)}),
            array(select jsonb_array_elements_text(${known}::jsonb)), ${since}::timestamptz)::text as moment`
      })

      return AdmissionRepo.of({
        admit: (instance, entries) => admit({ instance, entries }).pipe(failedUnavailable),
        settle: (instance, charges, sent) =>
          settle({ instance, charges, sent }).pipe(
            Effect.map((found) => found.map(({ settled }) => settled)),
            failedUnavailable
          ),
        undo: (requests) => undo(requests).pipe(Effect.as(requests.map(() => true as const)), failedUnavailable),
        sweep: (request) =>
          sweep(request).pipe(
            Effect.map(({ moment }) => moment),
            Effect.catchTag("NoSuchElementException", Effect.die),
            failedUnavailable
          )
      })
    })
  )
}
