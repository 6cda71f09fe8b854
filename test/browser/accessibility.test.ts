import { afterAll, expect } from "bun:test"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { Ledger } from "#src/billing/Ledger"
import { http } from "#test/support/service"
import { at, closeBrowser, openWindow, signedIn, visit } from "./window.ts"

afterAll(closeBrowser)

const axe = await Bun.file(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url)).text()

/** What axe finds serious or critical, by rule and place. */
const serious = async (page: Page) => {
  await page.waitForTimeout(300)
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof import("axe-core") }).axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
    })
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`)
  })
}

/** Whether the page, once it has come to rest, is no wider than its window. */
const fits = (page: Page) =>
  page
    .waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth, null, {
      timeout: 5_000
    })
    .then(
      () => true,
      () => false
    )

const screens = [
  ["light, wide", { colorScheme: "light", viewport: { width: 1360, height: 860 } }],
  ["dark, on a phone", { colorScheme: "dark", viewport: { width: 390, height: 844 } }]
] as const

http("In a browser, every page can be read by everybody", (it) => {
  for (const [title, screen] of screens)
    it(
      title,
      () =>
        Effect.gen(function* () {
          const ledger = yield* Ledger
          const door = yield* openWindow({ ...screen, bypassCSP: true })
          yield* visit(door, "")
          expect(["sign in", yield* at(door, serious)]).toEqual(["sign in", []])
          const { page, accountId, send } = yield* signedIn("playground", { ...screen, bypassCSP: true })
          yield* send("POST", "/keys", { name: "the key of a service with a rather long name" })
          yield* ledger.credit(accountId, 10_000, "test")
          yield* at(page, async () => {
            await page.getByRole("button", { name: "Run", exact: true }).click()
            await page.locator(".answer").first().waitFor()
          })
          for (const place of [
            "playground",
            "keys",
            "usage",
            "account",
            "templates",
            "models",
            "moderation",
            "flows"
          ]) {
            if (place !== "playground") yield* visit(page, place)
            expect([place, yield* at(page, serious)]).toEqual([place, []])
            expect([place, yield* at(page, fits)]).toEqual([place, true])
          }
          yield* at(page, async () => {
            await page.getByRole("link", { name: "Support triage" }).click()
            await page.locator(".react-flow__node").first().waitFor()
            expect(["flow", await serious(page)]).toEqual(["flow", []])
            await page.locator(".react-flow__node").first().click()
            await page.getByRole("heading", { name: "Ways on" }).waitFor()
            expect(["question", await serious(page)]).toEqual(["question", []])
          })
        }),
      120_000
    )
})
