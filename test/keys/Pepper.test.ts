import { expect } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Cause, Effect, Exit, Layer, Option, Redacted } from "effect"
import { Pepper } from "#src/keys/Pepper"
import { Settings } from "#src/Settings"
import { startFailure } from "#src/startFailure"
import { settings } from "#test/support/app"
import { live } from "#test/support/effect"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "pepper-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true }))
)

const pepperIn = (dataDir: string) =>
  Effect.map(Pepper, Redacted.value).pipe(
    Effect.provide(
      Pepper.layer.pipe(Layer.provide(Layer.succeed(Settings, { ...settings, dataDir, keyPepper: Option.none() })))
    )
  )

live("The pepper is made once, and never is nothing", () =>
  Effect.gen(function* () {
    const dataDir = yield* folder
    const made = yield* pepperIn(dataDir)
    expect(made).toMatch(/^[\w-]{43}$/)
    expect(yield* pepperIn(dataDir)).toBe(made)
    writeFileSync(join(dataDir, "pepper"), "\n")
    const empty = yield* Effect.exit(pepperIn(dataDir))
    expect(startFailure(Exit.isFailure(empty) ? empty.cause : Cause.empty)).toBe(
      `The service cannot start: ${join(dataDir, "pepper")} is empty. Put back what was in it, or remove it for a new one.`
    )
  })
)
