import { expect } from "bun:test"
import { connect } from "node:net"
import { SqlClient } from "@effect/sql/SqlClient"
import { PgClient } from "@effect/sql-pg"
import { Array as Arr, Context, Effect, Layer, Record, Redacted } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { migrations } from "#src/database/Migrations"
import { wrongBooks } from "#test/support/books"
import { withLayer } from "#test/support/effect"
import { customerOf, type Node, node } from "#test/support/node"
import { postgres } from "#test/support/postgres"
import { type Proxy, proxy } from "#test/support/proxy"

const token = "0123456789abcdef0123456789abcdef"

/** Three processes of the service on one PostgreSQL. */
class Nodes extends Context.Tag("test/Nodes")<Nodes, ReadonlyArray<Node>>() {}

/** The first node's way to the database. */
class Line extends Context.Tag("test/Line")<Line, Proxy>() {}

/** Milliseconds after which a node hung up on a client that sends its head byte by byte, for ever. */
class Trickle extends Context.Tag("test/Trickle")<Trickle, Promise<number>>() {}

const trickled = Effect.map(Nodes, ([, second]) => {
  const begun = performance.now()
  return new Promise<number>((done) => {
    const socket = connect(second?.port ?? 0, "127.0.0.1", () => socket.write("GET /health HTTP/1.1\r\nX-Long: "))
    const more = setInterval(() => socket.write("x"), 250)
    socket.on("error", () => {})
    socket.on("close", () => {
      clearInterval(more)
      done(performance.now() - begun)
    })
  })
})

const layer = Layer.unwrapScoped(
  Effect.gen(function* () {
    const { url } = yield* postgres
    const line = yield* proxy(Number(new URL(url).port))
    const through = new URL(url)
    through.port = String(line.port)
    const env = { INTERNAL_TOKEN: `test:${token}` }
    const nodes = [through.href, url, url].map((address) => node(address, { env }))
    return Layer.effect(Trickle, trickled).pipe(
      Layer.provideMerge(Layer.scoped(Nodes, Effect.all(nodes))),
      Layer.provideMerge(migrations.pipe(Layer.provideMerge(PgClient.layer({ url: Redacted.make(url) })))),
      Layer.provideMerge(Layer.succeed(Line, line))
    )
  })
)

const get = (to: Node | undefined, path: string, key: string) =>
  fetch(`${to?.base}${path}`, { headers: { authorization: `Bearer ${key}` } })

const decide = (
  to: Node | undefined,
  key: string,
  text: string,
  headers: Record<string, string> = {},
  signal: AbortSignal | null = null
) =>
  fetch(`${to?.base}/v1/decide`, {
    method: "POST",
    signal,
    headers: { authorization: `Bearer ${key}`, ...headers },
    body: JSON.stringify({ template: "spam", text, cache: false })
  })

const counts = (statuses: ReadonlyArray<number>) => Record.map(Arr.groupBy(statuses, String), (all) => all.length)

/** `total` requests, 250 at a time, each to another of the nodes; their statuses. */
const spread = (total: number, ask: (to: Node | undefined, i: number) => Promise<Response>) =>
  Effect.gen(function* () {
    const nodes = yield* Nodes
    const one = (i: number) =>
      Effect.promise(async () => {
        const response = await ask(nodes[i % nodes.length], i)
        await response.arrayBuffer()
        return response.status
      })
    return counts(yield* Effect.forEach(Array.from({ length: total }).keys(), one, { concurrency: 250 }))
  })

/** Lets the instance that holds something for the account, and what it holds, be older than a lease. */
const aged = (accountId: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`update instances set seen_at = seen_at - interval '1 minute'
      where id in (select instance_id from reservations where account_id = ${accountId})`
    yield* sql`update reservations set created_at = created_at - interval '1 minute' where account_id = ${accountId}`
  })

/** The kinds of entries of an account, once nothing is held and `decisions` are left. */
const settledBooks = (accountId: string, decisions: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const left = sql<{ left: number; kinds: string }>`
      select balance_micros::integer / 15 as left,
        (select string_agg(kind, ' ' order by id) from ledger l where l.account_id = a.id) as kinds
      from accounts a where id = ${accountId} and reserved_micros = 0`
    const [row] = yield* Effect.repeat(Effect.delay(left, "50 millis"), { until: ([row]) => row?.left === decisions })
    expect(yield* wrongBooks).toEqual([])
    return row?.kinds
  }).pipe(Effect.timeout("15 seconds"))

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

  it(
    "know a private model from its registration on, for its account alone, and no more after its removal",
    () =>
      Effect.gen(function* () {
        const nodes = yield* Nodes
        const name = "reviews"
        const [mine, other] = [yield* customerOf(), yield* customerOf()]
        const inside = <A, E>(
          to: Node | undefined,
          ask: (client: typeof InternalClient.Service) => Effect.Effect<A, E>
        ) =>
          Effect.provide(
            Effect.flatMap(InternalClient, ask),
            InternalClient.layer({ url: `${to?.base}/rpc`, token: Redacted.make(token) })
          )
        /** On each node: whether it is listed, and how a decision by it ends. */
        const seen = (key: string) =>
          Effect.forEach(nodes, (to) =>
            Effect.promise(async () => {
              const { models }: { readonly models: ReadonlyArray<{ readonly name: string }> } = JSON.parse(
                await (await get(to, "/v1/models", key)).text()
              )
              const body = JSON.stringify({ template: "spam", text: "a", cache: false, model: name })
              const headers = { authorization: `Bearer ${key}` }
              const { status } = await fetch(`${to.base}/v1/decide`, { method: "POST", headers, body })
              return [models.some((model) => model.name === name), status]
            })
          )
        const all = (listed: boolean, status: number) => nodes.map(() => [listed, status])
        expect(yield* seen(other.key)).toEqual(all(true, 200))
        yield* inside(nodes[0], (client) => client.RegisterModel({ account: mine.accountId, name }))
        expect(yield* seen(mine.key)).toEqual(all(true, 200))
        expect(yield* seen(other.key)).toEqual(all(false, 422))
        yield* inside(nodes[1], (client) => client.RemoveModel({ account: mine.accountId, name }))
        expect(yield* seen(mine.key)).toEqual(all(false, 422))
      }),
    60_000
  )

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
        const held = sql`select 1 from reservations where account_id = ${accountId}`
        const workers = first.workers()
        for (const pid of workers) process.kill(pid, "SIGSTOP")
        const asked = decide(first, key, "while it sleeps")
        yield* Effect.repeat(Effect.delay(held, "20 millis"), {
          until: (rows) => rows.length > 0
        })
        first.kill("SIGSTOP")
        yield* aged(accountId)
        yield* Effect.repeat(Effect.delay(held, "100 millis"), {
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

  it("take nothing from a client that left before its answer was sent", () =>
    Effect.gen(function* () {
      const [, second] = yield* Nodes
      const sql = yield* SqlClient
      const { key, accountId } = yield* customerOf({ decisions: 10 })
      const workers = second?.workers() ?? []
      for (const pid of workers) process.kill(pid, "SIGSTOP")
      const leaving = new AbortController()
      const asked = decide(second, key, "never mind", {}, leaving.signal).catch(() => "left")
      yield* Effect.repeat(Effect.delay(sql`select 1 from reservations where account_id = ${accountId}`, "20 millis"), {
        until: (rows) => rows.length === 1
      })
      // The charge waits for this lock, and the client leaves meanwhile.
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`select 1 from accounts where id = ${accountId} for update`
          for (const pid of workers) process.kill(pid, "SIGCONT")
          yield* Effect.repeat(Effect.delay(sql`select 1 from pg_locks where not granted`, "20 millis"), {
            until: (rows) => rows.length > 0
          })
          leaving.abort()
          expect(yield* Effect.promise(() => asked)).toBe("left")
          yield* Effect.sleep("200 millis")
        })
      )
      expect(yield* settledBooks(accountId, 10)).toBe("credit charge refund")
    }))

  it(
    "refund what one of them charged and died before it could answer, unless the answer is kept for a retry",
    () =>
      Effect.gen(function* () {
        const [first, second] = yield* Nodes
        const line = yield* Line
        const sql = yield* SqlClient
        if (first === undefined) return yield* Effect.die("no node")
        const plain = yield* customerOf({ decisions: 10 })
        const keyed = yield* customerOf({ decisions: 10 })
        const headers = { "idempotency-key": "order 18" }
        const workers = first.workers()
        for (const pid of workers) process.kill(pid, "SIGSTOP")
        const asked = [decide(first, plain.key, "once"), decide(first, keyed.key, "once", headers)].map((reply) =>
          reply.then(({ status }) => status).catch(() => "broken")
        )
        const accounts = sql.in([plain.accountId, keyed.accountId])
        yield* Effect.repeat(
          Effect.delay(sql`select 1 from reservations where account_id in ${accounts}`, "20 millis"),
          { until: (rows) => rows.length === 2 }
        )
        // Until the node has heard that they are reserved.
        yield* Effect.sleep("200 millis")
        line.mute()
        for (const pid of workers) process.kill(pid, "SIGCONT")
        yield* Effect.repeat(
          Effect.delay(sql`select 1 from ledger where kind = 'charge' and account_id in ${accounts}`, "20 millis"),
          { until: (rows) => rows.length === 2 }
        )
        first.kill("SIGKILL")
        expect(yield* Effect.promise(() => Promise.all(asked))).toEqual(["broken", "broken"])

        const again = yield* Effect.promise(() => decide(second, keyed.key, "once", headers))
        expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"])
        yield* aged(plain.accountId)
        expect(yield* settledBooks(plain.accountId, 10)).toBe("credit charge refund")
        expect(yield* settledBooks(keyed.accountId, 9)).toBe("credit charge")
      }),
    40_000
  )

  it(
    "hang up on a client that takes more than twelve seconds for its head, whatever it sends meanwhile",
    () =>
      Effect.gen(function* () {
        const closed = yield* Trickle
        expect(yield* Effect.promise(() => closed)).toBeWithin(8_000, 20_000)
      }),
    30_000
  )
})
