import { expect } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted } from "effect"
import { migrations } from "#src/database/Migrations"
import { withLayer } from "#test/support/effect"
import { customerOf, type Node, node, wrongBooks } from "#test/support/node"
import { postgres } from "#test/support/postgres"

/** Three processes of the service on one PostgreSQL. */
class Nodes extends Context.Tag("test/Nodes")<Nodes, ReadonlyArray<Node>>() {}

const layer = Layer.unwrapScoped(
  Effect.map(postgres, ({ url }) =>
    Layer.scoped(Nodes, Effect.replicateEffect(node(url), 3)).pipe(
      Layer.provideMerge(migrations.pipe(Layer.provideMerge(PgClient.layer({ url: Redacted.make(url) }))))
    )
  )
)

const get = (to: Node | undefined, path: string, key: string) =>
  fetch(`${to?.base}${path}`, { headers: { authorization: `Bearer ${key}` } })

const decide = (to: Node | undefined, key: string, text: string, headers: Record<string, string> = {}) =>
  fetch(`${to?.base}/v1/decide`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, ...headers },
    body: JSON.stringify({ template: "spam", text, cache: false })
  })

const counts = (statuses: ReadonlyArray<number>) =>
  statuses.reduce<Record<number, number>>((all, status) => ({ ...all, [status]: (all[status] ?? 0) + 1 }), {})

/** `total` requests, 50 at a time, each to another of the nodes; their statuses. */
const spread = (total: number, ask: (to: Node | undefined, i: number) => Promise<Response>) =>
  Effect.gen(function* () {
    const nodes = yield* Nodes
    const one = (i: number) =>
      Effect.promise(async () => {
        const response = await ask(nodes[i % nodes.length], i)
        await response.arrayBuffer()
        return response.status
      })
    return counts(yield* Effect.forEach(Array.from({ length: total }).keys(), one, { concurrency: 50 }))
  })

withLayer(layer)("Three nodes", (it) => {
  it(
    "let exactly 600 of 2,000 requests into a window",
    () =>
      Effect.gen(function* () {
        const { key } = yield* customerOf()
        expect(yield* spread(2_000, (to) => get(to, "/v1/templates", key))).toEqual({ 200: 600, 429: 1_400 })
      }),
    60_000
  )

  it(
    "spend exactly the balance",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { key, accountId } = yield* customerOf({ decisions: 40 })
        expect(yield* spread(120, (to, i) => decide(to, key, `number ${i}`))).toEqual({ 200: 40, 402: 80 })
        expect(yield* sql`select balance_micros, reserved_micros from accounts where id = ${accountId}`).toEqual([
          { balance_micros: "0", reserved_micros: "0" }
        ])
        expect(yield* wrongBooks).toEqual([])
      }),
    60_000
  )

  it("refuse a key from the moment its revocation has committed", () =>
    Effect.gen(function* () {
      const nodes = yield* Nodes
      const sql = yield* SqlClient
      for (let round = 0; round < 5; round++) {
        const { key, keyId } = yield* customerOf()
        const each = Effect.promise(() => Promise.all(nodes.map((to) => get(to, "/v1/templates", key))))
        expect((yield* each).map(({ status }) => status)).toEqual([200, 200, 200])
        yield* sql`update keys set revoked_at = clock_timestamp() where id = ${keyId}`
        expect((yield* each).map(({ status }) => status)).toEqual([401, 401, 401])
      }
    }))

  it("serve at once what was published on one of them", () =>
    Effect.gen(function* () {
      const [first, ...others] = yield* Nodes
      const sql = yield* SqlClient
      const { key, accountId } = yield* customerOf()
      const publish = (version: number) =>
        sql`insert into flow_versions (flow_id, version, revision, name, definition, questions, outcomes, longest_path)
          values ('flow_1', ${version}, 1, ${`version ${version}`}, ${definition}::json, 0, '["done"]', 0)`.pipe(
          Effect.zipRight(sql`update flows set published_version = ${version}, longest_path = 0 where id = 'flow_1'`)
        )
      const definition = JSON.stringify({ schema: 1, start: "end", nodes: [], edges: [] })
      yield* sql`insert into flows (id, account_id, slug, name, draft) values ('flow_1', ${accountId}, 'triage', 'Triage', ${definition}::json)`
      for (const version of [1, 2]) {
        yield* publish(version)
        for (const to of [first, ...others]) {
          const response = yield* Effect.promise(() => get(to, "/v1/flows", key))
          expect(yield* Effect.promise(() => response.json())).toMatchObject({ flows: [{ flow: "triage", version }] })
        }
      }
    }))

  it("do the work of one Idempotency-Key once, and send its answer from each of them, unbilled", () =>
    Effect.gen(function* () {
      const nodes = yield* Nodes
      const sql = yield* SqlClient
      const { key, accountId } = yield* customerOf({ decisions: 10 })
      const headers = { "idempotency-key": "order 17" }
      const replies = yield* Effect.promise(() =>
        Promise.all([...nodes, ...nodes, ...nodes].map((to) => decide(to, key, "once only", headers)))
      )
      const bodies = yield* Effect.promise(() => Promise.all(replies.map((reply) => reply.text())))
      expect(counts(replies.map(({ status }) => status))).toEqual({ 200: 9 })
      expect(new Set(bodies).size).toBe(1)
      expect(new Set(replies.map((reply) => reply.headers.get("x-request-id"))).size).toBe(1)
      expect(new Set(replies.map((reply) => reply.headers.get("content-type"))).size).toBe(1)
      expect(replies.filter((reply) => reply.headers.get("idempotent-replayed") === null)).toHaveLength(1)
      const other = yield* Effect.promise(() => decide(nodes[1], key, "something else", headers))
      expect(other.status).toBe(422)
      expect(yield* sql`select balance_micros from accounts where id = ${accountId}`).toEqual([
        { balance_micros: "135" }
      ])
    }))

  it(
    "lose nothing but time when one of them stood still for longer than its lease",
    () =>
      Effect.gen(function* () {
        const [first, second] = yield* Nodes
        const sql = yield* SqlClient
        const { key, accountId } = yield* customerOf({ decisions: 10 })
        if (first === undefined) return yield* Effect.die("no node")
        const workers = first.workers()
        for (const pid of workers) process.kill(pid, "SIGSTOP")
        const asked = decide(first, key, "while it sleeps")
        yield* Effect.repeat(Effect.delay(sql`select 1 from reservations`, "20 millis"), {
          until: (rows) => rows.length > 0
        })
        first.kill("SIGSTOP")
        yield* sql`update reservations set created_at = created_at - interval '1 minute'`
        yield* sql`update instances set seen_at = seen_at - interval '1 minute' where id = (select instance_id from reservations)`
        yield* Effect.repeat(Effect.delay(sql`select 1 from reservations`, "100 millis"), {
          until: (rows) => rows.length === 0
        })
        first.kill("SIGCONT")
        for (const pid of workers) process.kill(pid, "SIGCONT")
        expect((yield* Effect.promise(() => asked)).status).toBe(503)
        expect(yield* sql`select balance_micros, reserved_micros from accounts where id = ${accountId}`).toEqual([
          { balance_micros: "150", reserved_micros: "0" }
        ])
        expect((yield* Effect.promise(() => decide(second, key, "and on"))).status).toBe(200)
      }),
    40_000
  )
})
