import { homedir } from "node:os"
import { join } from "node:path"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, type Scope } from "effect"
import { randomId } from "#src/database/id"
import { hashSecret, makeSecret } from "#src/keys/Secret"
import { modelsFolder } from "./models.ts"
import { freePort } from "./ports.ts"
import { workersOf } from "./processes.ts"

const root = join(import.meta.dir, "../..")
/** Under which the nodes hash keys. */
export const pepper = "pepper of the nodes"

/** A running process of the service. */
export interface Node {
  readonly base: string
  readonly port: number
  readonly pid: number
  readonly kill: (signal: NodeJS.Signals) => void
  /** Its exit code, once it has ended. */
  readonly exited: Promise<number>
  readonly workers: () => ReadonlyArray<number>
  /** Everything it has printed so far. */
  readonly printed: () => Promise<string>
}

export interface NodeOptions {
  readonly env?: Readonly<Record<string, string>>
  /** In place of a free one. */
  readonly port?: number
  readonly log?: string
}

const isReady = async (base: string) => {
  try {
    return (await fetch(`${base}/health/ready`, { signal: AbortSignal.timeout(2_000) })).ok
  } catch {
    return false
  }
}

const nodeWith = (databaseUrl: string | undefined, modelsDir: string, options: NodeOptions) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const port = options.port ?? (await freePort())
      const log = options.log ?? `${process.env.TMPDIR ?? "/tmp"}/node-${randomId()}.log`
      const child = Bun.spawn([process.execPath, join(root, "src/main.ts")], {
        cwd: root,
        stdin: "ignore",
        stdout: Bun.file(log),
        stderr: Bun.file(log),
        env: {
          PATH: process.env.PATH ?? "",
          HOME: homedir(),
          PORT: String(port),
          ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, KEY_PEPPER: pepper }),
          MODELS_DIR: modelsDir,
          WORKERS: "1",
          LOG_FORMAT: "json",
          ...options.env
        }
      })
      const base = `http://127.0.0.1:${port}`
      while (!(await isReady(base))) {
        if (child.exitCode !== null) throw new Error(`The service ended: ${await Bun.file(log).text()}`)
        await Bun.sleep(50)
      }
      return {
        base,
        port,
        pid: child.pid,
        kill: (signal: NodeJS.Signals) => child.kill(signal),
        exited: child.exited,
        workers: () => workersOf(child.pid),
        printed: () => Bun.file(log).text()
      }
    }),
    (started) =>
      Effect.promise(async () => {
        started.kill("SIGKILL")
        await started.exited
      })
  )

/**
 * Starts the service as a process of its own, with one worker and two models of random weights, `svc-english` and
 * `reviews`: on a database server, or else on all that it makes itself in `DATA_DIR`.
 */
export const node = (
  databaseUrl: string | undefined,
  options: NodeOptions = {}
): Effect.Effect<Node, never, Scope.Scope> =>
  Effect.flatMap(modelsFolder([{ name: "svc-english" }, { name: "reviews" }]), (modelsDir) =>
    nodeWith(databaseUrl, modelsDir, options)
  )

/** A new account with a key, straight in the database; `decisions` is what its balance covers. */
export const customerOf = Effect.fn(function* (
  options: { readonly decisions?: number; readonly rateLimit?: number } = {}
) {
  const sql = yield* SqlClient
  const { decisions = 1_000, rateLimit = 600 } = options
  const accountId = `acc_${randomId()}`
  const keyId = `key_${randomId()}`
  const key = makeSecret()
  yield* sql`insert into accounts (id, email, password_hash) values (${accountId}, ${`${accountId}@example.com`}, '')`
  yield* sql`insert into keys (id, account_id, name, hash, last_four, rate_limit)
    values (${keyId}, ${accountId}, 'test', ${hashSecret(pepper, key)}, ${key.slice(-4)}, ${rateLimit})`
  if (decisions > 0) yield* sql`select credit(${accountId}, ${decisions * 15}::bigint, 'test')`
  return { accountId, keyId, key }
})
