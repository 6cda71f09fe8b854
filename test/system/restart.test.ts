import { expect } from "bun:test"
import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Cause, Effect, Schedule } from "effect"
import { fromPage } from "#test/console/visitor"
import { live } from "#test/support/effect"
import { type Node, node } from "#test/support/node"

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "data-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true }))
)

const said = (printed: string, what: RegExp) => what.exec(printed)?.[1] ?? ""

const curlIn = (printed: string) => said(printed, /\n(curl [\s\S]+?')\n/)

const get = (to: Node, path: string, key: string) =>
  Effect.promise(async () => {
    const response = await fetch(to.base + path, { headers: { authorization: `Bearer ${key}` } })
    return { status: response.status, body: await response.json() }
  })

const signIn = (to: Node, email: string, password: string) =>
  Effect.promise(async () => {
    const response = await fetch(`${to.base}/console/api/session`, {
      method: "POST",
      headers: { ...fromPage, "content-type": "application/json" },
      body: JSON.stringify({ email, password })
    })
    return response.status
  })

const stopped = (instance: Node) =>
  Effect.promise(() => {
    instance.kill("SIGTERM")
    return instance.exited
  })

live(
  "The first start prints a key, a sign-in and a request that works; later starts keep all and print no secret",
  () =>
    Effect.gen(function* () {
      const data = join(yield* folder, "data")
      const started = node(undefined, { env: { DATA_DIR: data } })

      const first = yield* started
      const printed = yield* Effect.promise(first.printed).pipe(
        Effect.filterOrFail((text) => curlIn(text) !== ""),
        Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 500 })
      )
      const key = said(printed, /API key +(svc_\w{36})\n/)
      const email = said(printed, /E-mail +(\S+)\n/)
      const password = said(printed, /Password +(\S+)\n/)
      const curl = curlIn(printed)
      const answer = yield* Effect.promise(() => Bun.$`bash -c ${`${curl} --silent`}`.json())
      expect(answer).toMatchObject({ template: "support_intent", usage: { decisions: 1 } })
      expect(yield* signIn(first, email, password)).toBe(200)
      expect(yield* stopped(first)).toBe(0)

      // What it keeps is nobody else's to read.
      expect((yield* Effect.promise(() => stat(data))).mode & 0o077).toBe(0)

      const second = yield* started
      const usage = yield* get(second, "/v1/usage?days=1", key)
      expect(usage).toMatchObject({
        status: 200,
        body: { totals: { decisions: 1 }, balance: { micros: 1_000_000 - 15 } }
      })
      expect(yield* signIn(second, email, password)).toBe(200)
      expect(yield* stopped(second)).toBe(0)
      const later = yield* Effect.promise(second.printed)
      expect(later).toContain("Listening")
      for (const secret of [key, password, "svc_", "Password", "API key"]) expect(later).not.toContain(secret)
    }),
  240_000
)

live(
  "A second process on the data folder of a running one says so and ends; the first goes on",
  () =>
    Effect.gen(function* () {
      const started = node(undefined, { env: { DATA_DIR: join(yield* folder, "data") } })
      const first = yield* started
      const why = yield* Effect.flip(Effect.sandbox(started))
      expect(Cause.pretty(why)).toMatch(/The database cannot be used: \S+ is in use by another process/)
      expect((yield* Effect.promise(() => fetch(`${first.base}/health/ready`))).status).toBe(200)
    }),
  120_000
)
