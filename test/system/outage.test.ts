import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { PgClient } from "@effect/sql-pg"
import { Context, Duration, Effect, Exit, Fiber, Layer, Redacted, Schedule, Scope } from "effect"
import { Admission } from "#src/admission/Admission"
import { randomId } from "#src/database/id"
import { migrations } from "#src/database/Migrations"
import { server } from "#src/database/Server"
import { hashSecret } from "#src/keys/Secret"
import { Settings } from "#src/Settings"
import { settings } from "#test/support/app"
import { wrongBooks } from "#test/support/books"
import { live } from "#test/support/effect"
import { customerOf, pepper } from "#test/support/node"
import { postgres } from "#test/support/postgres"
import { proxy } from "#test/support/proxy"

/** An admission whose way to a PostgreSQL of its own can be disturbed, and a customer with 100 decisions. */
const sceneOf = (millis: number) =>
  Effect.gen(function* () {
    const database = yield* postgres
    const line = yield* proxy(Number(new URL(database.url).port))
    const through = new URL(database.url)
    through.port = String(line.port)
    const aside = yield* Layer.build(
      migrations.pipe(Layer.provideMerge(PgClient.layer({ url: Redacted.make(database.url) })))
    )
    const sql = Context.get(aside, SqlClient)
    const admission = Context.get(
      yield* Layer.build(
        Admission.layer.pipe(
          Layer.provide(server(Redacted.make(through.href), millis)),
          Layer.provide(Layer.succeed(Settings, settings))
        )
      ),
      Admission
    )
    const { accountId, key } = yield* Effect.provide(customerOf({ decisions: 100 }), aside)
    const admit = Effect.suspend(() =>
      admission.admit({
        requestId: `req_${randomId()}`,
        party: { keyHash: hashSecret(pepper, key) },
        order: { decisions: 2 },
        counted: true
      })
    ).pipe(
      Effect.flatMap((admittance) =>
        admittance._tag === "Admitted" ? Effect.succeed(admittance.reservation) : Effect.dieMessage("replayed")
      )
    )
    /** Decisions that the balance covers and that are held, once nothing is held any more. */
    const end = sql<{ left: number; held: number; used: number; entries: string }>`
    select balance_micros::integer / 15 as left, reserved_micros::integer / 15 as held,
      (select sum(decisions) from usage_days u where u.account_id = a.id)::integer as used,
      (select string_agg(kind, ' ' order by id) from ledger l where l.account_id = a.id) as entries
    from accounts a where id = ${accountId}`.pipe(
      Effect.map(([row]) => row),
      Effect.delay("100 millis"),
      Effect.repeat({ until: (row) => row?.held === 0 }),
      Effect.zipLeft(Effect.map(Effect.provide(wrongBooks, aside), (wrong) => expect(wrong).toEqual([]))),
      Effect.timeout("20 seconds")
    )
    return { database, line, sql, admission, admit, end }
  })

const scene = sceneOf(1_000)

const failure = (exit: Exit.Exit<unknown, { readonly _tag: string }>) =>
  Exit.isFailure(exit) && exit.cause._tag === "Fail" ? exit.cause.error._tag : exit._tag

live(
  "Admission costs one statement a request, less when many come at once",
  () =>
    Effect.gen(function* () {
      const { line, admit, admission } = yield* sceneOf(10_000)
      const cost = <A, E>(self: Effect.Effect<A, E>) =>
        Effect.gen(function* () {
          const before = line.statements()
          const result = yield* self
          return [line.statements() - before, result] as const
        })
      const [entry, reserved] = yield* cost(admit)
      const [exit] = yield* cost(admission.settle(reserved, 1))
      // The lease is renewed every five seconds, perhaps just now.
      expect(entry).toBeOneOf([1, 2])
      expect(exit).toBeOneOf([1, 2])
      const [many] = yield* cost(
        Effect.all(
          Array.from({ length: 40 }, () => admit),
          { concurrency: "unbounded" }
        )
      )
      expect(many).toBeLessThan(20)
    }),
  60_000
)

describe("Admission, when the database", () => {
  live(
    "stands still, fails in time and leaves nothing behind, also what is carried out late",
    () =>
      Effect.gen(function* () {
        const { database, admit, admission, end } = yield* scene
        const reserved = yield* admit
        database.kill("SIGSTOP")
        const [took, exits] = yield* Effect.timed(
          Effect.all([Effect.exit(admit), Effect.exit(admission.settle(reserved, 0))], { concurrency: 2 })
        )
        expect(exits.map(failure)).toEqual(["Unavailable", "Unavailable"])
        expect(Duration.toMillis(took)).toBeLessThan(4_000)
        database.kill("SIGCONT")
        expect(yield* end).toEqual({ left: 100, held: 0, used: 0, entries: "credit" })
        expect((yield* admit).decisions).toBe(2)
      }),
    60_000
  )

  live(
    "stands still for good, ends all the same",
    () =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const { database, admit } = yield* Scope.extend(sceneOf(1_000), scope)
        database.kill("SIGSTOP")
        expect(failure(yield* Effect.exit(admit))).toBe("Unavailable")
        const [took] = yield* Effect.timed(Scope.close(scope, Exit.void))
        expect(Duration.toMillis(took)).toBeLessThan(20_000)
      }),
    60_000
  )

  live(
    "stands still for a while, charges once",
    () =>
      Effect.gen(function* () {
        const { database, admit, admission, end } = yield* scene
        const reserved = yield* admit
        database.kill("SIGSTOP")
        const settling = yield* Effect.fork(admission.settle(reserved, 2))
        yield* Effect.sleep("2 seconds")
        database.kill("SIGCONT")
        yield* Fiber.join(settling)
        expect(yield* end).toEqual({ left: 98, held: 0, used: 2, entries: "credit charge" })
      }),
    60_000
  )

  live(
    "takes a charge but cannot say so, gives the money back with the failure",
    () =>
      Effect.gen(function* () {
        const { line, admit, admission, end, sql } = yield* scene
        const reserved = yield* admit
        line.mute()
        const exit = yield* Effect.exit(admission.settle(reserved, 2))
        expect(failure(exit)).toBe("Unavailable")
        expect(yield* sql`select 1 from ledger where kind = 'charge'`).toHaveLength(1)
        line.hear()
        yield* Effect.repeat(Effect.delay(sql`select 1 from ledger where kind = 'refund'`, "100 millis"), {
          until: (rows) => rows.length === 1
        })
        expect(yield* end).toEqual({ left: 100, held: 0, used: 0, entries: "credit charge refund" })
        expect(failure(yield* Effect.exit(admission.settle(reserved, 2)))).toBe("Unavailable")
      }),
    60_000
  )

  live(
    "dies, or drops its connections, admits again as soon as it is back",
    () =>
      Effect.gen(function* () {
        const { database, line, admit } = yield* scene
        for (const fault of [line.reset, () => database.kill("SIGKILL")]) {
          const held = yield* admit
          fault()
          yield* Effect.sleep("50 millis")
          if (fault !== line.reset) {
            expect(failure(yield* Effect.exit(admit))).toBe("Unavailable")
            yield* Effect.promise(database.restart)
          }
          const [took] = yield* Effect.timed(Effect.retry(admit, Schedule.spaced("50 millis")))
          expect(Duration.toMillis(took)).toBeLessThan(5_000)
          expect(held.decisions).toBe(2)
        }
      }),
    60_000
  )
})
