import { join } from "node:path"
import { BunContext } from "@effect/platform-bun"
import { ConfigProvider, Console, Effect, Exit } from "effect"
import { failure } from "#src/cli/failure"
import { svc as command } from "#src/cli/svc"

type Env = Readonly<Record<string, string>>

/** Runs `svc` in this process; what it prints, and the code that it would end with. */
export const svc = (args: ReadonlyArray<string>, env: Env) =>
  Console.consoleWith((console) => {
    const out: Array<string> = []
    const err: Array<string> = []
    const into =
      (lines: Array<string>) =>
      (...all: ReadonlyArray<unknown>) =>
        Effect.sync(() => {
          lines.push(`${all.map(String).join(" ")}\n`)
        })
    return command(["bun", "svc", ...args]).pipe(
      Effect.withConsole({ ...console, log: into(out), error: into(err) }),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(env)))),
      Effect.provide(BunContext.layer),
      Effect.exit,
      Effect.map((exit) => ({
        out: out.join(""),
        err: err.join(""),
        code: Exit.match(exit, { onSuccess: () => 0, onFailure: (cause) => failure(cause).code })
      }))
    )
  })

const line = (args: ReadonlyArray<string>) => [process.execPath, "src/cli/main.ts", ...args]
const place = (env: Env) => ({ cwd: join(import.meta.dir, "../.."), env: { ...process.env, ...env } })

/** Runs `svc` as a process of its own. */
export const svcProcess = (args: ReadonlyArray<string>, env: Env = {}) =>
  Effect.promise(async () => {
    const child = Bun.spawn(line(args), { ...place(env), stdout: "pipe", stderr: "pipe" })
    const [out, err, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited
    ])
    return { out, err, code }
  })

/** Runs `svc` as a process of its own on a terminal of its own; all that it writes there. */
export const svcTerminal = (args: ReadonlyArray<string>, env: Env = {}) =>
  Effect.promise(async () => {
    const parts: Array<string> = []
    const data = (_: Bun.Terminal, part: Uint8Array) => {
      parts.push(new TextDecoder().decode(part))
    }
    const child = Bun.spawn(line(args), { ...place(env), terminal: { cols: 120, rows: 40, data } })
    const code = await child.exited
    return { out: parts.join(""), code }
  })
