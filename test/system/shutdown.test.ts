import { describe, expect } from "bun:test"
import { connect, type Socket } from "node:net"
import * as Reactivity from "@effect/experimental/Reactivity"
import { SqlClient } from "@effect/sql/SqlClient"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Either, Fiber, Layer, Redacted, Stream } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { wrongBooks } from "#test/support/books"
import { live } from "#test/support/effect"
import { customerOf, type Node, node } from "#test/support/node"
import { freePort } from "#test/support/ports"
import { postgres } from "#test/support/postgres"

const decide = (to: Node, key: string) =>
  fetch(`${to.base}/v1/decide`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ template: "spam", text: "buy now", cache: false })
  })

const open = (port: number, text: string) =>
  new Promise<Socket>((done) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text, () => done(socket)))
    socket.on("error", () => {})
  })

const signal = (pids: ReadonlyArray<number>, name: NodeJS.Signals) => {
  for (const pid of pids) process.kill(pid, name)
}

const alive = (pid: number) => Bun.spawnSync(["kill", "-0", String(pid)], { stderr: "ignore" }).success

/** A service of its own, whose only worker is stopped: what is asked of it stays unanswered until `resume`. */
const sceneOf = (env: Record<string, string>) =>
  Effect.gen(function* () {
    const { url } = yield* postgres
    const instance = yield* node(url, { env: { RUN_SECONDS: "60", ...env } })
    const sql = yield* PgClient.make({ url: Redacted.make(url) }).pipe(Effect.provide(Reactivity.layer))
    const { key, accountId } = yield* Effect.provideService(customerOf(), SqlClient, sql)
    const workers = instance.workers()
    expect(workers.length).toBe(1)
    signal(workers, "SIGSTOP")
    const reserved = (requests: number) =>
      Effect.repeat(Effect.delay(sql`select 1 from reservations`, "20 millis"), {
        until: (rows) => rows.length === requests
      })
    const balance = Effect.map(
      sql<{
        balance_micros: string
        reserved_micros: string
      }>`select balance_micros, reserved_micros from accounts where id = ${accountId}`,
      ([row]) => [Number(row?.balance_micros), Number(row?.reserved_micros)]
    )
    return { instance, key, accountId, workers, balance, sql, reserved }
  })

const scene = (drainSeconds: string) =>
  Effect.gen(function* () {
    const made = yield* sceneOf({ DRAIN_SECONDS: drainSeconds })
    const asked = Array.from({ length: 20 }, () => decide(made.instance, made.key))
    yield* made.reserved(20)
    return { ...made, asked }
  })

describe("SIGTERM", () => {
  live(
    "answers what runs, refuses what comes, waits for no half-sent request, and ends with its workers",
    () =>
      Effect.gen(function* () {
        const { instance, key, asked, workers, balance, sql } = yield* scene("30")
        const head = yield* Effect.promise(() => open(instance.port, "POST /v1/decide HTTP/1.1\r\nHost: half"))
        const body = yield* Effect.promise(() =>
          open(
            instance.port,
            `POST /v1/decide HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${key}\r\nContent-Length: 99\r\n\r\n{"te`
          )
        )
        const refusedBody = new Promise<string>((done) => body.on("data", (chunk) => done(String(chunk))))
        yield* Effect.sleep("200 millis")

        instance.kill("SIGTERM")
        expect(yield* Effect.promise(() => refusedBody)).toStartWith("HTTP/1.1 503")
        const late = yield* Effect.promise(() => decide(instance, key))
        expect(late.status).toBe(503)
        expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(0)
        expect(late.headers.get("x-request-id")).toMatch(/^req_/)
        expect(yield* Effect.promise(() => late.json())).toMatchObject({ detail: { error_type: "api_error" } })

        signal(workers, "SIGCONT")
        const answers = yield* Effect.promise(() => Promise.all(asked))
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
        yield* Effect.promise(() => Promise.all(answers.map((answer) => answer.json())))
        expect(yield* Effect.promise(() => instance.exited)).toBe(0)
        expect(workers.filter(alive)).toEqual([])
        expect(yield* balance).toEqual([980 * 15, 0])
        expect(yield* Effect.provideService(wrongBooks, SqlClient, sql)).toEqual([])
        head.destroy()
        body.destroy()
      }),
    60_000
  )

  live(
    "loses no answer to an internal service either, on a port of its own, nor the rest of one that has begun",
    () =>
      Effect.gen(function* () {
        const token = "0123456789abcdef0123456789abcdef"
        const port = yield* Effect.promise(freePort)
        const {
          instance,
          accountId: account,
          workers,
          balance,
          sql,
          reserved
        } = yield* sceneOf({
          DRAIN_SECONDS: "30",
          RPC_PORT: String(port),
          INTERNAL_TOKEN: `test:${token}`
        })
        const client = Context.get(
          yield* Layer.build(
            InternalClient.layer({ url: `http://127.0.0.1:${port}/rpc`, token: Redacted.make(token) })
          ),
          InternalClient
        )
        const spec = { template: "spam", cache: false } as const
        const one = yield* Effect.fork(
          Effect.forEach(Array.from({ length: 20 }), () => client.Decide({ account, spec, text: "buy now" }), {
            concurrency: "unbounded"
          })
        )
        const texts = Array.from({ length: 40 }, (_, i) => `number ${i}`)
        const many = yield* Effect.fork(Stream.runCollect(client.DecideMany({ account, spec, texts })))
        yield* reserved(28)
        const head = yield* Effect.promise(() => open(port, "POST /rpc HTTP/1.1\r\nHost: half"))

        instance.kill("SIGTERM")
        const late = yield* Effect.flip(Effect.repeat(client.ListTemplates(), { until: () => false }))
        expect(late._tag).toBe("RpcClientError")

        signal(workers, "SIGCONT")
        expect(yield* Fiber.join(one)).toHaveLength(20)
        const decided = [...(yield* Fiber.join(many))]
        expect(decided.map(({ index }) => index).sort((a, b) => a - b)).toEqual([...texts.keys()])
        expect(decided.filter(({ outcome }) => Either.isRight(outcome))).toHaveLength(40)
        expect(yield* Effect.promise(() => instance.exited)).toBe(0)
        expect(yield* balance).toEqual([940 * 15, 0])
        expect(yield* Effect.provideService(wrongBooks, SqlClient, sql)).toEqual([])
        head.destroy()
      }),
    60_000
  )

  live(
    "ends what outlasts DRAIN_SECONDS with a 503 that costs nothing",
    () =>
      Effect.gen(function* () {
        const { instance, asked, balance } = yield* scene("1")
        instance.kill("SIGTERM")
        const answers = yield* Effect.promise(() => Promise.all(asked))
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
        expect(yield* Effect.promise(() => Promise.resolve(answers[0]?.json()))).toMatchObject({
          detail: { error_type: "api_error" }
        })
        expect(yield* Effect.promise(() => instance.exited)).toBe(0)
        expect(yield* balance).toEqual([1000 * 15, 0])
      }),
    60_000
  )
})
