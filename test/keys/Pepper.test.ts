import { expect } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Cause, Effect, Exit, Layer, Logger, Option, Redacted } from "effect"
import { Pepper } from "#src/keys/Pepper"
import { Settings } from "#src/Settings"
import { startFailure } from "#src/startFailure"
import { settings } from "#test/support/app"
import { live } from "#test/support/effect"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "pepper-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true }))
)

const pepperIn = (dataDir: string, databaseUrl = settings.databaseUrl) => {
  const here = { ...settings, dataDir, databaseUrl, keyPepper: Option.none() }
  return Effect.map(Pepper, Redacted.value).pipe(
    Effect.provide(Pepper.layer.pipe(Layer.provide(Layer.succeed(Settings, here))))
  )
}

live("The pepper is made once, and never is nothing", () =>
  Effect.gen(function* () {
    const dataDir = yield* folder
    const made = yield* pepperIn(dataDir)
    expect(made).toMatch(/^[\w-]{43}$/)
    expect(yield* pepperIn(dataDir)).toBe(made)
    writeFileSync(join(dataDir, "pepper"), "\n")
    const empty = yield* Effect.exit(pepperIn(dataDir))
    expect(startFailure(Exit.isFailure(empty) ? empty.cause : Cause.empty)).toBe(
      `The service cannot start: ${join(dataDir, "pepper")} is empty. Put back what was in it; if that is lost, remove it for a new one, under which no API key made so far is known.`
    )
  })
)

live("A pepper of one's own beside a database for many is warned of", () =>
  Effect.gen(function* () {
    const dataDir = yield* folder
    const told: Array<string> = []
    const logs = Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ logLevel, message }) => void told.push(`${logLevel.label} ${message}`))
    )
    yield* Effect.provide(pepperIn(dataDir), logs)
    expect(told).toEqual([])
    yield* Effect.provide(pepperIn(dataDir, Option.some(Redacted.make("postgresql://host/svc"))), logs)
    expect(told).toEqual([expect.stringMatching(/^WARN .*set the same KEY_PEPPER on all/)])
  })
)
