import { expect } from "bun:test"
import { existsSync } from "node:fs"
import { Effect } from "effect"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { visitor } from "#test/console/visitor"
import { TestApp } from "#test/support/app"

const executable = () => {
  const found = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
    (path) => path !== undefined && existsSync(path)
  )
  if (found === undefined) throw new Error("These tests need Chromium: install it, or say where it is in CHROMIUM.")
  return found
}

let shared: Promise<Browser> | undefined

const browser = () =>
  (shared ??= chromium.launch({
    executablePath: executable(),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync"
    ]
  }))

/** Closes the browser that all tests share. */
export const closeBrowser = async () => {
  const running = await shared
  shared = undefined
  await running?.close()
}

/** A window of its own cookies; closes with the test, which fails where the page logged an error or broke its policy. */
export const openWindow = Effect.fn(function* (options: BrowserContextOptions = {}) {
  const { base } = yield* TestApp
  const errors: Array<string> = []
  const context = yield* Effect.acquireRelease(
    Effect.promise(async () =>
      (await browser()).newContext({ baseURL: base, permissions: ["clipboard-read", "clipboard-write"], ...options })
    ),
    (opened) => Effect.promise(() => opened.close())
  )
  const page = yield* Effect.promise(() => context.newPage())
  page.setDefaultTimeout(30_000)
  page.on("pageerror", (error) => errors.push(error.message))
  page.on("console", (message) => {
    // A refused request is logged by the browser itself; what the page says about it is asserted where it is expected.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) errors.push(message.text())
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => expect(errors).toEqual([])))
  return page
})

/** A window in which somebody is signed in, at a page of the console. */
export const signedIn = Effect.fn(function* (path: string, options: BrowserContextOptions = {}) {
  const { base } = yield* TestApp
  const person = yield* visitor
  const page = yield* openWindow(options)
  const [name = "", value = ""] = person.cookie().split("=")
  yield* Effect.promise(() => page.context().addCookies([{ name, value, url: `${base}/console` }]))
  yield* visit(page, path)
  return { ...person, page }
})

export const visit = (page: Page, path: string) =>
  Effect.promise(async () => {
    await page.goto(`/console/${path}`)
    await page.locator("main h1").first().waitFor()
  })

/** One step at the page. */
export const at = <A>(page: Page, step: (page: Page) => Promise<A>) => Effect.promise(() => step(page))
