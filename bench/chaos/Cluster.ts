import { SqlClient } from "@effect/sql/SqlClient"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { migrations } from "#src/database/Migrations"
import { wrongBooks } from "#test/support/books"
import { customerOf, type Node, node } from "#test/support/node"
import { freePort } from "#test/support/ports"
import { postgresIn } from "#test/support/postgres"
import { proxy } from "#test/support/proxy"
import { small } from "./Disk.ts"

const decisions = 10_000_000

/** Two instances on one PostgreSQL, TCP hops before each of them that can break, and a customer. */
export const cluster = Effect.gen(function* () {
  const disk = yield* small
  const database = yield* postgresIn(disk.folder)
  const behind = new URL(database.url)
  const line = yield* proxy(Number(behind.port))
  behind.port = String(line.port)
  const context = yield* Layer.build(
    migrations.pipe(Layer.provideMerge(PgClient.layer({ url: Redacted.make(database.url), maxConnections: 2 })))
  )
  const sql = Context.get(context, SqlClient)
  const { accountId, key } = yield* Effect.provide(customerOf({ decisions, rateLimit: 100_000_000 }), context)

  const places = yield* Effect.forEach([0, 1], () =>
    Effect.gen(function* () {
      const port = yield* Effect.promise(freePort)
      const front = yield* proxy(port)
      let life = yield* Scope.make()
      const start = Effect.suspend(() =>
        Scope.extend(node(behind.href, { port, env: { WORKERS: "2", RUN_SECONDS: "2" } }), life)
      )
      let running: Node = yield* start
      yield* Effect.addFinalizer(() => Scope.close(life, Exit.void))
      return {
        base: `http://127.0.0.1:${front.port}`,
        front,
        node: () => running,
        /** Kills it and starts another in its place, as a supervisor would. */
        replace: Effect.gen(function* () {
          running.kill("SIGKILL")
          yield* Scope.close(life, Exit.void)
          life = yield* Scope.make()
          running = yield* start
        })
      }
    })
  )

  const numbers = <A extends object>(rows: Effect.Effect<ReadonlyArray<A>, unknown>) =>
    Effect.map(Effect.orDie(rows), ([row]) => row)

  return {
    disk,
    database,
    line,
    places,
    sql,
    apiKey: key,
    /** Waits until no request is open any more, nor a charged one whose answer may not have been sent: at most a minute. */
    quiet: numbers(
      sql<{ open: string }>`select count(*)::text as open from reservations where account_id = ${accountId}`
    ).pipe(
      Effect.delay("200 millis"),
      Effect.repeat({ until: (row) => row?.open === "0" }),
      Effect.timeoutOption("1 minute")
    ),
    /** Ids of requests that stayed charged, and whether all books agree. */
    charged: Effect.gen(function* () {
      const rows = yield* sql<{ reference: string }>`
        select reference from ledger c where account_id = ${accountId} and kind = 'charge' and not exists (
          select 1 from ledger r where r.account_id = c.account_id and r.kind = 'refund' and r.reference = c.reference)`
      return new Set(rows.map(({ reference }) => reference))
    }).pipe(Effect.orDie),
    wrong: Effect.orDie(Effect.map(Effect.provide(wrongBooks, context), (rows) => rows.length)),
    spent: Effect.map(
      numbers(sql<{ balance: string }>`select balance_micros as balance from accounts where id = ${accountId}`),
      (row) => decisions * 15 - Number(row?.balance)
    )
  }
})

export type Cluster = Effect.Effect.Success<typeof cluster>
