import { describe, expect } from "bun:test"
import { connect, type Socket } from "node:net"
import * as Reactivity from "@effect/experimental/Reactivity"
import { SqlClient } from "@effect/sql/SqlClient"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { live } from "#test/support/effect"
import { customerOf, type Node, node, wrongBooks } from "#test/support/node"
import { postgres } from "#test/support/postgres"

const decide = (to: Node, key: string) =>
  fetch(`${to.base}/v1/decide`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ template: "spam", text: "buy now", cache: false })
  })

const open = (to: Node, text: string) =>
  new Promise<Socket>((done) => {
    const socket = connect(to.port, "127.0.0.1", () => socket.write(text, () => done(socket)))
    socket.on("error", () => {})
  })

const signal = (pids: ReadonlyArray<number>, name: NodeJS.Signals) => {
  for (const pid of pids) process.kill(pid, name)
}

const alive = (pid: number) => Bun.spawnSync(["kill", "-0", String(pid)], { stderr: "ignore" }).success

/** A service of its own, whose only worker is stopped: what is asked of it stays unanswered until `resume`. */
const scene = (drainSeconds: string) =>
  Effect.gen(function* () {
    const { url } = yield* postgres
    const instance = yield* node(url, { env: { DRAIN_SECONDS: drainSeconds, RUN_SECONDS: "60" } })
    const sql = yield* PgClient.make({ url: Redacted.make(url) }).pipe(Effect.provide(Reactivity.layer))
    const { key, accountId } = yield* Effect.provideService(customerOf(), SqlClient, sql)
    const workers = instance.workers()
    expect(workers.length).toBe(1)
    signal(workers, "SIGSTOP")
    const asked = Array.from({ length: 20 }, () => decide(instance, key))
    yield* Effect.repeat(Effect.delay(sql`select 1 from reservations`, "20 millis"), {
      until: (rows) => rows.length === 20
    })
    const balance = Effect.map(
      sql<{
        balance_micros: string
        reserved_micros: string
      }>`select balance_micros, reserved_micros from accounts where id = ${accountId}`,
      ([row]) => [Number(row?.balance_micros), Number(row?.reserved_micros)]
    )
    return { instance, key, asked, workers, balance, sql }
  })

describe("SIGTERM", () => {
  live(
    "answers what runs, refuses what comes, waits for no half-sent request, and ends with its workers",
    () =>
      Effect.gen(function* () {
        const { instance, key, asked, workers, balance, sql } = yield* scene("30")
        const head = yield* Effect.promise(() => open(instance, "POST /v1/decide HTTP/1.1\r\nHost: half"))
        const body = yield* Effect.promise(() =>
          open(
            instance,
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
