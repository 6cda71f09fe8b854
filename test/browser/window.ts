import { expect } from "bun:test"
import { existsSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { type ConsoleMessage, chromium, type Page } from "playwright-core"
import { visitor } from "#test/console/visitor"
import { afterwards } from "#test/support/afterwards"
import { TestApp } from "#test/support/app"

const executable = () => {
  const found = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
    (path) => path !== undefined && existsSync(path)
  )
  if (found === undefined) throw new Error("These tests need Chromium: install it, or say where it is in CHROMIUM.")
  return found
}

const launched = async () => {
  const profile = await mkdtemp(join(tmpdir(), "browser-"))
  afterwards('sleep 1; rm -rf "$1"', profile)
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: executable(),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync"
    ],
    permissions: ["clipboard-read", "clipboard-write"],
    reducedMotion: "reduce"
  })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  // A test that failed may leave changes behind that the page would ask about.
  page.on("dialog", (dialog) => dialog.accept())
  return page
}

let shared: Promise<Page> | undefined

/**
 * The window of all tests, which run one after the other: a new one would compile the console anew. A test that takes
 * too long takes the browser with it.
 */
const opened = async (): Promise<Page> => {
  const page = await shared
  if (page !== undefined && !page.isClosed()) return page
  shared = launched()
  return shared
}

/** A window in which nobody is signed in; the test fails where the page logged an error or broke its policy. */
export const openWindow = Effect.gen(function* () {
  const page = yield* Effect.promise(opened)
  yield* Effect.promise(() => page.context().clearCookies())
  const errors: Array<string> = []
  const thrown = (error: Error) => errors.push(error.message)
  const logged = (message: ConsoleMessage) => {
    // A refused request is logged by the browser itself; what the page says about it is asserted where it is expected.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) errors.push(message.text())
  }
  page.on("pageerror", thrown).on("console", logged)
  yield* Effect.addFinalizer(() =>
    Effect.promise(async () => {
      page.off("pageerror", thrown).off("console", logged)
      await page.goto("about:blank")
      await page.unrouteAll()
      await page.context().setOffline(false)
      expect(errors).toEqual([])
    })
  )
  return page
})

/** A window in which somebody is signed in, at a page of the console. */
export const signedIn = Effect.fn(function* (path: string) {
  const { base } = yield* TestApp
  const person = yield* visitor
  const page = yield* openWindow
  const [name = "", value = ""] = person.cookie().split("=")
  yield* Effect.promise(() => page.context().addCookies([{ name, value, url: `${base}/console` }]))
  yield* visit(page, path)
  return { ...person, page }
})

export const visit = Effect.fn(function* (page: Page, path: string) {
  const { base } = yield* TestApp
  yield* Effect.promise(async () => {
    await page.goto(`${base}/console/${path}`)
    await page.locator("main h1").first().waitFor()
  })
})

/** One step at the page. */
export const at = <A>(page: Page, step: (page: Page) => Promise<A>) => Effect.promise(() => step(page))
