import { expect } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { Array as Arr, type Context, Effect, Exit, Fiber, Layer, Record } from "effect"
import { Admission, type Arrival } from "#src/admission/Admission"
import { Ledger } from "#src/billing/Ledger"
import { randomId } from "#src/database/id"
import { Settings } from "#src/Settings"
import { settings } from "#test/support/app"
import { wrongBooks } from "#test/support/books"
import { DatabaseInMemory } from "#test/support/database"
import { withLayer } from "#test/support/effect"
import { DatabaseOnPostgres } from "#test/support/postgres"

const customer = Effect.fn(function* (decisions: number, rateLimit = 600) {
  const sql = yield* SqlClient
  const ledger = yield* Ledger
  const accountId = `acc_${randomId()}`
  const keyHash = new Uint8Array(Buffer.from(randomId().padEnd(32)))
  yield* sql`insert into accounts (id, email, password_hash) values (${accountId}, ${accountId}, '')`
  yield* sql`insert into keys (id, account_id, name, hash, last_four, rate_limit) values (${`key_${randomId()}`}, ${accountId}, 'k', ${keyHash}, '0000', ${rateLimit})`
  if (decisions > 0) yield* ledger.credit(accountId, decisions * settings.priceMicros, "start")
  return { accountId, keyHash }
})

const arrival = (keyHash: Uint8Array, decisions: number, least = decisions): Arrival => ({
  requestId: `req_${randomId()}`,
  party: { keyHash },
  order: { decisions, least },
  counted: true
})

/** The same request of two decisions each time; `answersRetry`: it counts itself as a retry. */
const sameAgain =
  (admission: Context.Tag.Service<Admission>, keyHash: Uint8Array, accountId: string) => (answersRetry: boolean) =>
    admission.admit({ ...arrival(keyHash, 2), replay: { key: accountId, bodyHash: "same", answersRetry } })

/** What a first attempt reserves. */
const admitted = (ask: ReturnType<typeof sameAgain>) =>
  Effect.flatMap(ask(false), (admittance) =>
    admittance._tag === "Admitted" ? Effect.succeed(admittance.reservation) : Effect.dieMessage("not admitted")
  )

const outcomes = (exits: ReadonlyArray<{ readonly _tag: string }>) =>
  Record.map(
    Arr.groupBy(exits, ({ _tag }) => _tag),
    (alike) => alike.length
  )

const attempt = <A extends { readonly _tag: string }, E extends { readonly _tag: string }, R>(
  self: Effect.Effect<A, E, R>
) => Effect.catchAll(self, (error) => Effect.succeed({ _tag: error._tag }))

for (const [name, database] of [
  ["PostgreSQL in this process", DatabaseInMemory],
  ["a PostgreSQL server", DatabaseOnPostgres]
] as const) {
  const layer = Admission.layer.pipe(
    Layer.provideMerge(Ledger.layer),
    Layer.provideMerge(database),
    Layer.provideMerge(Layer.succeed(Settings, settings))
  )

  withLayer(layer)(`Admission on ${name}`, (it) => {
    it(
      "reserves exactly what the balance covers, however many ask at once",
      () =>
        Effect.gen(function* () {
          const admission = yield* Admission
          const { keyHash } = yield* customer(100)
          const all = yield* Effect.all(
            Array.from({ length: 300 }, () => attempt(admission.admit(arrival(keyHash, 1)))),
            { concurrency: "unbounded" }
          )
          expect(outcomes(all)).toEqual({ Admitted: 100, InsufficientCredits: 200 })
          expect(yield* wrongBooks).toEqual([])
        }),
      60_000
    )

    it(
      "lets exactly as many in as the window takes",
      () =>
        Effect.gen(function* () {
          const admission = yield* Admission
          const { keyHash } = yield* customer(0, 60)
          const all = yield* Effect.all(
            Array.from({ length: 200 }, () => attempt(admission.admit(arrival(keyHash, 0)))),
            { concurrency: "unbounded" }
          )
          expect(outcomes(all)).toEqual({ Admitted: 60, RateLimited: 140 })
        }),
      60_000
    )

    it("reserves part of an order when that is worth starting for, and gives back what was not answered", () =>
      Effect.gen(function* () {
        const admission = yield* Admission
        const { keyHash, accountId } = yield* customer(10)
        const admitted = yield* admission.admit(arrival(keyHash, 64, 1))
        if (admitted._tag !== "Admitted") throw new Error("not admitted")
        expect(admitted.reservation).toMatchObject({ accountId, decisions: 10 })
        expect((yield* Effect.flip(admission.admit(arrival(keyHash, 1))))._tag).toBe("InsufficientCredits")
        yield* admission.settle(admitted.reservation, 7)
        expect(yield* wrongBooks).toEqual([])
        const sql = yield* SqlClient
        expect(yield* sql`select balance_micros, reserved_micros from accounts where id = ${accountId}`).toEqual([
          { balance_micros: "45", reserved_micros: "0" }
        ])
        expect(
          yield* sql`select decisions, cost_micros, requests from usage_days where account_id = ${accountId}`
        ).toEqual([{ decisions: "7", cost_micros: "105", requests: "2" }])
      }))

    it("fails what PostgreSQL cannot read alone, not those who come with it, and leaves nothing behind", () =>
      Effect.gen(function* () {
        const admission = yield* Admission
        const sql = yield* SqlClient
        const { keyHash, accountId } = yield* customer(40)
        const admit = (asked: Arrival) =>
          Effect.flatMap(admission.admit(asked), (admitted) =>
            admitted._tag === "Admitted" ? Effect.succeed(admitted.reservation) : Effect.dieMessage("replayed")
          )
        const together = <A, E>(all: ReadonlyArray<Effect.Effect<A, E>>) =>
          Effect.map(Effect.forEach(all, Effect.exit, { concurrency: "unbounded" }), (exits) =>
            exits.map((exit) => (Exit.isSuccess(exit) ? "Success" : exit.cause._tag))
          )
        const unknown = ["\u0000", "\ud83d", "\ude00"]
        const good = () => Effect.suspend(() => admit(arrival(keyHash, 1)))
        const entries = unknown.flatMap((character) => [
          good(),
          admit({ ...arrival(keyHash, 1), order: { decisions: 0, flow: character } }),
          good(),
          admit({ ...arrival(keyHash, 1), party: { accountId: `${accountId}${character}` } }),
          admit({ ...arrival(keyHash, 1), replay: { key: character, bodyHash: "b", answersRetry: true } })
        ])
        expect(yield* together(entries)).toEqual(unknown.flatMap(() => ["Success", "Die", "Success", "Die", "Die"]))

        const held = yield* Effect.all(unknown.flatMap(() => [good(), good()]))
        const charges = held.map((reservation, place) =>
          admission.settle(reservation, 1, {
            status: 200,
            headers: {},
            body: place % 2 === 0 ? "{}" : (unknown[(place - 1) / 2] ?? "")
          })
        )
        expect(yield* together(charges)).toEqual(unknown.flatMap(() => ["Success", "Die"]))
        // Those of the first six are held still: nobody settled them.
        const after = sql`select balance_micros / 15 as left, reserved_micros / 15 as held from accounts where id = ${accountId}`
        expect(
          yield* Effect.repeat(Effect.delay(after, "20 millis"), { until: ([row]) => row?.held === "6", times: 100 })
        ).toEqual([{ left: "37", held: "6" }])
        expect(yield* wrongBooks).toEqual([])
      }))

    it("settles a request once: again is harmless, too late is refused", () =>
      Effect.gen(function* () {
        const admission = yield* Admission
        const sql = yield* SqlClient
        const { keyHash, accountId } = yield* customer(10)
        const admitted = yield* admission.admit(arrival(keyHash, 2))
        if (admitted._tag !== "Admitted") throw new Error("not admitted")
        yield* admission.settle(admitted.reservation, 2)
        yield* admission.settle(admitted.reservation, 2)
        expect(yield* sql`select balance_micros from accounts where id = ${accountId}`).toEqual([
          { balance_micros: "120" }
        ])
        const lost = { ...admitted.reservation, requestId: "req_lost" }
        expect((yield* Effect.flip(admission.settle(lost, 1)))._tag).toBe("Unavailable")
        expect(yield* wrongBooks).toEqual([])
      }))

    it("keeps a charge whose answer a retry has got elsewhere, though the instance that made it knows nothing of it", () =>
      Effect.gen(function* () {
        const admission = yield* Admission
        const sql = yield* SqlClient
        for (const [retried, kinds] of [
          [true, "credit charge"],
          [false, "credit charge refund"]
        ] as const) {
          const { keyHash, accountId } = yield* customer(10)
          const asked = { ...arrival(keyHash, 2), replay: { key: accountId, bodyHash: "same", answersRetry: true } }
          const admitted = yield* admission.admit(asked)
          if (admitted._tag !== "Admitted") throw new Error("not admitted")
          const answer = { status: 200, headers: {}, body: "{}" }
          yield* admission.settle(admitted.reservation, 2, answer)
          if (retried)
            expect(yield* admission.admit({ ...asked, requestId: `req_${randomId()}` })).toEqual({
              _tag: "Replayed",
              answer
            })
          yield* sql`select undo(jsonb_build_array(jsonb_build_object('request_id', ${asked.requestId}::text, 'account', ${accountId}::text)))`
          expect(
            yield* sql`select string_agg(kind, ' ' order by id) as kinds from ledger where account_id = ${accountId}`
          ).toEqual([{ kinds }])
        }
        expect(yield* wrongBooks).toEqual([])
      }))

    it("keeps an answer for its retry though an equal request after it fails", () =>
      Effect.gen(function* () {
        const admission = yield* Admission
        const { keyHash, accountId } = yield* customer(10)
        const ask = sameAgain(admission, keyHash, accountId)
        const answer = { status: 200, headers: {}, body: "{}" }
        const first = yield* admitted(ask)
        yield* admission.settle(first, 2, answer)
        const equal = yield* admitted(ask)
        yield* admission.settle(equal, 0)
        expect(yield* ask(true)).toEqual({ _tag: "Replayed", answer })
        expect(yield* wrongBooks).toEqual([])
      }))

    it("keeps an answer for its retry though an equal request began before it was there, and fails", () =>
      Effect.gen(function* () {
        const admission = yield* Admission
        const { keyHash, accountId } = yield* customer(10)
        const ask = sameAgain(admission, keyHash, accountId)
        const answer = { status: 200, headers: {}, body: "{}" }
        const [first, equal] = [yield* admitted(ask), yield* admitted(ask)]
        yield* admission.settle(first, 2, answer)
        yield* admission.settle(equal, 0)
        expect(yield* ask(true)).toEqual({ _tag: "Replayed", answer })
        expect(yield* wrongBooks).toEqual([])
      }))

    it("keeps an answer for its retry though an equal request began after it, and failed before it", () =>
      Effect.gen(function* () {
        const admission = yield* Admission
        const { keyHash, accountId } = yield* customer(10)
        const ask = sameAgain(admission, keyHash, accountId)
        const answer = { status: 200, headers: {}, body: "{}" }
        const [first, equal] = [yield* admitted(ask), yield* admitted(ask)]
        yield* admission.settle(equal, 0)
        const early = yield* Effect.fork(ask(true))
        yield* admission.settle(first, 2, answer)
        expect(yield* Fiber.join(early)).toEqual({ _tag: "Replayed", answer })
        expect(yield* wrongBooks).toEqual([])
      }))

    it("keeps an answer for its retry though an equal request was answered before it to nobody, and refunded", () =>
      Effect.gen(function* () {
        const admission = yield* Admission
        const sql = yield* SqlClient
        const { keyHash, accountId } = yield* customer(10)
        const ask = sameAgain(admission, keyHash, accountId)
        const answer = { status: 200, headers: {}, body: "first" }
        const [first, equal] = [yield* admitted(ask), yield* admitted(ask)]
        yield* admission.settle(equal, 2, { ...answer, body: "equal" })
        yield* sql`select undo(jsonb_build_array(jsonb_build_object('request_id', ${equal.requestId}::text, 'account', ${accountId}::text)))`
        yield* admission.settle(first, 2, answer)
        expect(yield* ask(true)).toEqual({ _tag: "Replayed", answer })
        expect(
          yield* sql`select string_agg(kind, ' ' order by id) as kinds from ledger where account_id = ${accountId}`
        ).toEqual([{ kinds: "credit charge refund charge" }])
        expect(yield* wrongBooks).toEqual([])
      }))

    it("refunds a charge whose answer nobody has got, though a retry got the answer before it meanwhile", () =>
      Effect.gen(function* () {
        const admission = yield* Admission
        const sql = yield* SqlClient
        const { keyHash, accountId } = yield* customer(10)
        const ask = sameAgain(admission, keyHash, accountId)
        const first = yield* admitted(ask)
        yield* admission.settle(first, 2, { status: 200, headers: {}, body: "1" })
        const equal = yield* admitted(ask)
        expect(yield* ask(true)).toMatchObject({ _tag: "Replayed", answer: { body: "1" } })
        yield* admission.settle(equal, 2, { status: 200, headers: {}, body: "2" })
        yield* sql`select undo(jsonb_build_array(jsonb_build_object('request_id', ${equal.requestId}::text, 'account', ${accountId}::text)))`
        expect(
          yield* sql`select string_agg(kind, ' ' order by id) as kinds from ledger where account_id = ${accountId}`
        ).toEqual([{ kinds: "credit charge charge refund" }])
        expect(yield* wrongBooks).toEqual([])
      }))

    it("returns what an instance that is gone had reserved", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* customer(10)
        yield* sql`insert into instances (id, seen_at) values ('gone', now() - interval '31 seconds')`
        yield* sql`insert into reservations (request_id, account_id, instance_id, micros, created_at) values (${`req_${randomId()}`}, ${accountId}, 'gone', 60, now() - interval '31 seconds')`
        yield* sql`update accounts set reserved_micros = 60 where id = ${accountId}`
        yield* sql`select sweep('here', '30 seconds', '10 minutes', '{}', null)`
        expect(yield* sql`select reserved_micros from accounts where id = ${accountId}`).toEqual([
          { reserved_micros: "0" }
        ])
        expect(yield* wrongBooks).toEqual([])
      }))

    it("returns what an instance that is gone had reserved before the database's clock was set back, and nothing else", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* customer(10)
        const reserve = (instance: string, created: "now" | "tomorrow") =>
          sql`insert into reservations (request_id, account_id, instance_id, micros, created_at)
            values (${`req_${instance}`}, ${accountId}, ${instance}, 40, ${created}::timestamptz)`
        const held = sql`select request_id from reservations where account_id = ${accountId} order by 1`
        yield* sql`insert into instances (id, seen_at) values ('ahead', 'tomorrow'), ('alive', 'tomorrow')`
        yield* Effect.all([reserve("ahead", "tomorrow"), reserve("alive", "tomorrow"), reserve("self", "now")])
        yield* sql`update accounts set reserved_micros = 120 where id = ${accountId}`
        // What it has admitted while it waits for its sweep is later than the time it was told, before the clock was set back.
        yield* sql`select sweep('self', '30 seconds', '10 minutes', '{}', 'tomorrow')`
        expect(yield* held).toHaveLength(3)
        yield* sql`update instances set seen_at = seen_at - interval '31 seconds' where id = 'ahead'`
        yield* sql`update reservations set created_at = created_at - interval '31 seconds' where instance_id <> 'self'`
        yield* sql`select sweep('alive', '30 seconds', '10 minutes', '{req_alive}', null)`
        expect(yield* held).toEqual([{ request_id: "req_alive" }, { request_id: "req_self" }])
        expect(yield* wrongBooks).toEqual([])
      }))

    it("never changes or forgets an entry of the ledger", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* customer(10)
        for (const change of [
          sql`update ledger set micros = 1 where account_id = ${accountId}`,
          sql`delete from ledger where account_id = ${accountId}`,
          sql`truncate ledger`
        ])
          expect((yield* Effect.flip(change))._tag).toBe("SqlError")
        const ledger = yield* Ledger
        const credited = { balance_micros: 1_150, credited_micros: 1_000 }
        const grant = ledger.credit(accountId, 1_000, "again")
        const both = yield* Effect.all([grant, grant], { concurrency: 2 })
        expect(both.map(({ added }) => added).toSorted()).toEqual([false, true])
        expect(both).toMatchObject([credited, credited])
        expect((yield* Effect.flip(ledger.credit(accountId, 2_000, "again")))._tag).toBe("ReferenceTaken")
        expect(yield* grant).toEqual({ ...credited, added: false })
      }))
  })
}
