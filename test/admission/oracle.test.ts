import { expect } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { Duration, Effect, FastCheck, Layer, Runtime } from "effect"
import { AdmissionRepo } from "#src/admission/AdmissionRepo"
import { Ledger } from "#src/billing/Ledger"
import { randomId } from "#src/database/id"
import { wrongBooks } from "#test/support/books"
import { DatabaseInMemory } from "#test/support/database"
import { withLayer } from "#test/support/effect"
import { kept, lease, limit, Oracle, type Step } from "./oracle.ts"

const small = (most: number) => FastCheck.integer({ min: 0, max: most })
const steps: FastCheck.Arbitrary<ReadonlyArray<Step>> = FastCheck.array(
  FastCheck.oneof(
    {
      weight: 6,
      arbitrary: FastCheck.record({
        do: FastCheck.constant("ask" as const),
        instance: small(2),
        key: small(2),
        decisions: FastCheck.integer({ min: 1, max: 6 }),
        idempotency: small(3)
      })
    },
    {
      weight: 4,
      arbitrary: FastCheck.record({
        do: FastCheck.constant("answer" as const),
        request: small(20),
        decisions: FastCheck.integer({ min: 1, max: 6 })
      })
    },
    { weight: 3, arbitrary: FastCheck.record({ do: FastCheck.constant("send" as const), request: small(20) }) },
    { weight: 2, arbitrary: FastCheck.record({ do: FastCheck.constant("fail" as const), request: small(20) }) },
    { weight: 2, arbitrary: FastCheck.record({ do: FastCheck.constant("undo" as const), request: small(20) }) },
    { weight: 1, arbitrary: FastCheck.record({ do: FastCheck.constant("crash" as const), instance: small(1) }) },
    {
      weight: 2,
      arbitrary: FastCheck.record({ do: FastCheck.constant("sweep" as const), instance: FastCheck.constant(2) })
    },
    { weight: 1, arbitrary: FastCheck.record({ do: FastCheck.constant("revoke" as const), key: small(2) }) },
    {
      weight: 3,
      arbitrary: FastCheck.record({ do: FastCheck.constant("top up" as const), account: small(1), reference: small(3) })
    },
    {
      weight: 3,
      arbitrary: FastCheck.record({
        do: FastCheck.constant("clock" as const),
        seconds: FastCheck.constantFrom(-200_000, -3_600, -90, 90, 3_600, 200_000)
      })
    }
  ),
  { minLength: 10, maxLength: 40 }
)

const now = Date.now

/** Carries the steps out on the database and on the oracle, and compares what they say. */
const follow = Effect.fn(function* (all: ReadonlyArray<Step>) {
  const sql = yield* SqlClient
  const repo = yield* AdmissionRepo
  const ledger = yield* Ledger
  const oracle = new Oracle()
  const run = randomId()
  const accounts = [`a-${run}`, `b-${run}`]
  const keys = [0, 1, 2].map((key) => ({
    id: `key_${key}_${run}`,
    hash: Buffer.from(`${key}${run}`.padEnd(32)),
    account: accounts[key % 2] ?? ""
  }))
  const instances = [0, 1, 2].map((instance) => `node_${instance}_${run}`)
  const name = (instance: number) => instances[instance] ?? ""
  for (const id of accounts) yield* sql`insert into accounts (id, email, password_hash) values (${id}, ${id}, '')`
  for (const { id, hash, account } of keys)
    yield* sql`insert into keys (id, account_id, name, hash, last_four, rate_limit) values (${id}, ${account}, 'k', ${hash}, '0000', ${limit})`
  const sweep = (instance: number) =>
    repo.sweep({
      instance: name(instance),
      lease: Duration.seconds(lease),
      answersKept: Duration.seconds(kept),
      known: [],
      since: null
    })
  yield* Effect.forEach([0, 1, 2], sweep)

  for (const step of all) {
    switch (step.do) {
      case "ask": {
        if (oracle.crashed.has(step.instance)) break
        const id = `req_${randomId()}`
        const replay = step.idempotency === 0 ? null : `${run} ${step.idempotency}`
        const [verdict] = yield* repo.admit(name(step.instance), [
          {
            request_id: id,
            hash: keys[step.key]?.hash.toHex() ?? "",
            account: null,
            counted: true,
            default_limit: 600,
            wanted: step.decisions,
            least: step.decisions,
            price: 15,
            flow: null,
            replay_key: replay,
            request_hash: replay === null ? null : "same",
            replays: replay !== null
          }
        ])
        expect(verdict?.outcome === "replayed" ? `replayed ${verdict.answer_body}` : verdict?.outcome).toBe(
          oracle.ask(step, id)
        )
        break
      }
      case "answer":
      case "fail": {
        const asked = oracle.asked[step.request]
        if (asked === undefined || oracle.crashed.has(asked.instance)) break
        const decisions = step.do === "answer" ? Math.min(step.decisions, asked.reserved) : 0
        const charge = {
          request_id: asked.id,
          account: accounts[asked.key % 2] ?? "",
          decisions,
          price: 15,
          status: 200,
          headers: {},
          body: decisions === 0 ? null : asked.id
        }
        const [settled] = yield* repo.settle(name(asked.instance), [charge], [])
        if (step.do === "fail") oracle.fail(asked)
        else expect(settled).toBe(oracle.answer(asked, decisions))
        break
      }
      case "send": {
        const asked = oracle.asked[step.request]
        if (asked === undefined || oracle.crashed.has(asked.instance)) break
        yield* repo.settle(name(asked.instance), [], [asked.id])
        oracle.send(asked)
        break
      }
      case "undo": {
        const asked = oracle.asked[step.request]
        if (asked === undefined) break
        yield* repo.undo([{ request_id: asked.id, account: accounts[asked.key % 2] ?? "" }])
        oracle.undo(asked)
        break
      }
      case "crash":
        oracle.crash(step.instance)
        yield* sql`update instances set seen_at = seen_at - interval '31 seconds' where id = ${name(step.instance)}`
        yield* sql`update reservations set created_at = created_at - interval '31 seconds' where instance_id = ${name(step.instance)}`
        break
      case "sweep":
        yield* sweep(step.instance)
        oracle.sweep(step.instance)
        break
      case "revoke":
        yield* sql`update keys set revoked_at = clock_timestamp() where id = ${keys[step.key]?.id ?? ""}`
        oracle.revoked.add(step.key)
        break
      case "top up":
        yield* ledger.credit(accounts[step.account] ?? "", 150, `top up ${step.reference}`)
        oracle.topUp(step.account, step.reference)
        break
      case "clock":
        // The database in this process has its time from here.
        oracle.now += step.seconds
        Date.now = () => now() + oracle.now * 1_000
        break
    }
    const rows = yield* sql<{ balance_micros: string; reserved_micros: string }>`
      select balance_micros, reserved_micros from accounts where id in ${sql.in(accounts)} order by id`
    expect(rows.map((row) => [Number(row.balance_micros), Number(row.reserved_micros)])).toEqual(
      [0, 1].map((account) => [oracle.balance[account] ?? 0, oracle.held(account)])
    )
    expect(yield* wrongBooks).toEqual([])
  }
})

withLayer(Layer.mergeAll(AdmissionRepo.layer, Ledger.layer).pipe(Layer.provideMerge(DatabaseInMemory)))(
  "Admission",
  (it) => {
    it(
      "does what a few lines of arithmetic do, whatever order requests, failures, crashes, revocations, credits and set clocks come in",
      () =>
        Effect.gen(function* () {
          const runtime = yield* Effect.runtime<AdmissionRepo | Ledger | SqlClient>()
          const property = FastCheck.asyncProperty(steps, (all) =>
            Runtime.runPromise(runtime)(follow(all)).finally(() => {
              Date.now = now
            })
          )
          yield* Effect.promise(() => FastCheck.assert(property, { numRuns: 25 }))
        }),
      120_000
    )
  }
)
