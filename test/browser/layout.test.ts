import { expect } from "bun:test"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { Ledger } from "#src/billing/Ledger"
import { http } from "#test/support/service"
import { at, openWindow, signedIn, visit } from "./window.ts"

/** How far the page jumped while it came up: the sum of what Chromium calls layout shifts, each a share of the window. */
const jumped = async (page: Page) => {
  await page.waitForFunction(() => document.querySelector(".waiting") === null)
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const shifts: Array<number> = []
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) shifts.push(Number(entry.toJSON().value))
        }).observe({ type: "layout-shift", buffered: true })
        setTimeout(() => resolve(shifts.reduce((sum, shift) => sum + shift, 0)), 60)
      })
  )
}

http("In a browser", (it) => {
  it(
    "no page jumps while it comes up",
    () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const seen: Record<string, number> = {}
        const look = Effect.fn(function* (page: Page, path: string) {
          for (const [guise, size] of [
            ["phone", { width: 390, height: 844 }],
            ["desktop", { width: 1360, height: 860 }]
          ] as const) {
            yield* at(page, () => page.setViewportSize(size))
            yield* visit(page, path)
            seen[`${path} ${guise}`] = yield* at(page, () => jumped(page))
          }
        })
        yield* look(yield* openWindow, "")
        const { page, accountId, send } = yield* signedIn("playground")
        yield* ledger.credit(accountId, 10_000, "test")
        yield* send("POST", "/keys", { name: "a key" })
        for (const path of ["playground", "moderation", "templates", "models", "keys", "usage", "account", "flows"])
          yield* look(page, path)
        const editor = yield* at(page, () => page.getByRole("link", { name: "Support triage" }).getAttribute("href"))
        yield* look(page, String(editor).replace("/console/", ""))
        expect(Object.entries(seen).filter(([, shift]) => shift > 0.02)).toEqual([])
      }),
    120_000
  )

  it(
    "names of any length leave room for what stands beside them",
    () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const { page, accountId, send } = yield* signedIn("flows")
        yield* ledger.credit(accountId, 10_000, "test")
        const long = "x".repeat(200)
        const definition = {
          schema: 1,
          start: "ask",
          nodes: [
            { id: "ask", kind: "ask", label: long, ask: { type: "choice", question: "Which?", options: ["a", long] } },
            { id: "end", kind: "end", outcome: long }
          ],
          edges: [{ id: "way", from: "ask", to: "end", when: { otherwise: true } }]
        }
        const { id } = (yield* send("POST", "/flows", { slug: "long", content: { name: long, definition } })).body
        yield* at(page, () => page.setViewportSize({ width: 320, height: 640 }))
        yield* visit(page, `flows/${id}`)
        const lines = yield* at(page, async () => {
          await page.getByLabel("Test", { exact: true }).check()
          await page.getByRole("button", { name: "Run the draft" }).click()
          await page.locator(".outcome strong").waitFor()
          return page.locator(".exit-share, .outcome .muted").evaluateAll((all) =>
            all.map((beside) => {
              const text = document.createRange()
              text.selectNodeContents(beside)
              return new Set([...text.getClientRects()].map(({ top }) => Math.round(top))).size
            })
          )
        })
        expect(lines).toEqual([1, 1, 1])
      }),
    60_000
  )
})
