import { expect } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { server } from "#src/database/Server"
import { transaction } from "#src/database/transaction"
import { orUnavailable } from "#src/database/unavailable"
import { live } from "#test/support/effect"
import { postgres } from "#test/support/postgres"

const database = Layer.unwrapScoped(Effect.map(postgres, ({ url }) => server(Redacted.make(url))))

live("Who leaves ends no statement of others", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const leave = Effect.forEach(
      Array.from({ length: 30 }),
      () => Effect.fork(orUnavailable(sql`select count(*) from generate_series(1, 20000)`)),
      { concurrency: "unbounded" }
    ).pipe(Effect.flatMap((all) => Effect.zipRight(Effect.sleep("3 millis"), Fiber.interruptAll(all))))
    const stranger = yield* Effect.fork(Effect.repeatN(leave, 40))
    for (let n = 0; n < 400; n++) expect(yield* sql`select ${n}::integer as n`).toEqual([{ n }])
    yield* Fiber.join(stranger)
  }).pipe(Effect.provide(database))
)

live("A transaction whose connection breaks is told as a service that is unavailable", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const own = sql<{ pid: number }>`select pg_backend_pid() as pid`
    const broken = own.pipe(
      Effect.tap(([row]) => Effect.exit(sql`select pg_terminate_backend(${row?.pid ?? 0})`)),
      Effect.zipRight(sql`select 1`),
      transaction(sql),
      Effect.flip
    )
    expect((yield* broken)._tag).toBe("Unavailable")
    expect(yield* sql`select 1 as n`).toEqual([{ n: 1 }])
  }).pipe(Effect.provide(database))
)
