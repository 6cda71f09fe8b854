import { expect } from "bun:test"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { Ledger } from "#src/billing/Ledger"
import { http } from "#test/support/service"
import { at, openWindow, signedIn, visit } from "./window.ts"

const axe = await Bun.file(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url)).text()

/** What axe finds serious or critical, by rule and place. */
const serious = async (page: Page) => {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe)
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof import("axe-core") }).axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
      resultTypes: ["violations"]
    })
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`)
  })
}

/** What can be focused by keyboard and looks the same whether it is or not. */
const unseen = async (page: Page) => {
  // Browsers show the focus of those who have used a key.
  await page.keyboard.press("Tab")
  return page.evaluate(() => {
    const reachable = 'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex="-1"])'
    const looks = (element: Element) =>
      [element, ...element.querySelectorAll("*"), element.nextElementSibling].flatMap((part) => {
        if (part === null || !part.checkVisibility({ opacityProperty: true })) return []
        const { outline, boxShadow, stroke } = getComputedStyle(part)
        return [outline, boxShadow, stroke]
      })
    return [...document.querySelectorAll<HTMLElement>(reachable)]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.matches(":disabled"))
      .filter((element) => {
        element.blur()
        const before = looks(element)
        element.focus()
        const now = looks(element)
        element.blur()
        return before.join() === now.join()
      })
      .map(({ outerHTML }) => outerHTML.slice(0, 160))
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

const guises = [
  ["dark, on a phone", { colorScheme: "dark" }, { width: 390, height: 844 }],
  ["light, wide", { colorScheme: "light" }, { width: 1360, height: 860 }]
] as const

/** What is on the screen now, as both kinds of people see it. */
const looked = async (page: Page, place: string) => {
  await page.waitForFunction(() => document.querySelector(".waiting") === null)
  for (const [guise, media, size] of guises) {
    await page.emulateMedia(media)
    await page.setViewportSize(size)
    expect([place, guise, await fits(page), await serious(page)]).toEqual([place, guise, true, []])
  }
  expect([place, await unseen(page)]).toEqual([place, []])
}

/** A model with figures, whatever those of the bundled ones are. */
const figured = (page: Page) =>
  page.route("**/console/api/models", async (route) => {
    const response = await route.fetch()
    const { models } = await response.json()
    const row = { questions: 1200, accuracy: 0.8123, ece: 0.031, majority: 0.3, bag_of_words: 0.25 }
    const figures = {
      measured: "2026-11-22",
      families: [
        { family: "all", language: "en", type: "noul", ...row },
        { family: "reviews", language: "other", type: "score", ...row, score_error: 0.5 }
      ],
      languages: [
        { language: "de", ...row },
        { language: "pt", ...row }
      ]
    }
    const last = models.at(-1)
    await route.fulfill({
      response,
      json: { models: [...models.slice(0, -1), { ...last, facts: { ...last.facts, figures } }] }
    })
  })

const modelFigures = async (page: Page) => {
  const model = page.getByRole("region", { name: /^Figures of/ }).last()
  await model.getByText("By subject (1)").click()
  await model.getByText("By language (2)").click()
  expect(await model.getByRole("row", { name: /^Yes \/ no/ }).textContent()).toBe(
    "Yes / no English1,20081.2 %30.0 %3.1 %"
  )
  expect(await model.getByRole("row", { name: /^reviews/ }).textContent()).toContain("0.50 levels off")
  await model.getByRole("row", { name: /^Portuguese/ }).waitFor()
}

http("In a browser", (it) => {
  it(
    "every page can be read by everybody",
    () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const door = yield* openWindow
        yield* visit(door, "")
        yield* at(door, () => looked(door, "sign in"))
        const { page, accountId, send } = yield* signedIn("playground")
        yield* send("POST", "/keys", { name: "the key of a service with a rather long name" })
        yield* ledger.credit(accountId, 10_000, "test")
        yield* at(page, async () => {
          await page.getByRole("button", { name: "Run", exact: true }).click()
          await page.locator(".answer").first().waitFor()
          await looked(page, "playground")
          await figured(page)
          await page.locator(".who").click()
          await page.getByRole("heading", { name: "Account", level: 1 }).waitFor()
          await looked(page, "account")
          for (const name of ["Moderation", "Templates", "Models", "Keys", "Usage & billing", "Flows"]) {
            await page.getByRole("navigation").getByRole("link", { name }).click()
            await page.getByRole("heading", { name, level: 1 }).waitFor()
            if (name === "Models") await modelFigures(page)
            await looked(page, name)
          }
          await page.getByRole("link", { name: "Support triage" }).click()
          await page.locator(".react-flow__node").first().waitFor()
          await looked(page, "flow")
          // Where a node lies depends on the window; the keyboard finds it anywhere.
          await page.locator(".react-flow__node").first().press("Enter")
          await page.getByRole("heading", { name: "Ways on" }).waitFor()
          await looked(page, "question")
        })
      }),
    120_000
  )

  it(
    "the focus stays at what was pressed",
    () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const { page, accountId } = yield* signedIn("flows")
        yield* ledger.credit(accountId, 10_000, "test")
        const focused = () => page.evaluate(() => document.activeElement?.textContent)
        yield* at(page, async () => {
          await page.getByRole("link", { name: "Support triage" }).click()
          await page.getByLabel("Test", { exact: true }).check()
          let runs = 0
          const answered = Promise.withResolvers<void>()
          await page.route(/\/test$/, async (route) => {
            runs++
            await answered.promise
            await route.continue()
          })
          for (let n = 0; n < 2; n++) await page.getByRole("button", { name: /^Run/ }).press("Enter")
          await page.locator('[aria-busy="true"]').waitFor()
          expect(await focused()).toBe("Running…")
          answered.resolve()
          await page.locator(".outcome strong").waitFor()
          expect([await focused(), runs]).toEqual(["Run the draft", 1])
          await page.locator("summary").press("Enter")
          await page.getByRole("button", { name: "Import JSON" }).press("Enter")
          await page.getByRole("dialog").waitFor()
          await page.keyboard.press("Escape")
          expect(await focused()).toBe("More")
          await page.getByRole("button", { name: "+ Outcome" }).press("Enter")
          for (let n = 0; n < 2; n++) await page.getByRole("button", { name: "Undo" }).press("Enter")
          expect(await focused()).toBe("↶")
          expect(await page.getByRole("button", { name: "Undo" }).isDisabled()).toBe(true)
        })
      }),
    60_000
  )

  it(
    "the focus goes on from what is removed, and to the page that somebody goes to",
    () =>
      Effect.gen(function* () {
        const { page } = yield* signedIn("playground")
        const focused = (what: string) => page.locator(`${what}:focus`).waitFor()
        yield* at(page, async () => {
          expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BODY")
          const topic = page.getByRole("group", { name: "topic" })
          await topic.getByRole("button", { name: "Remove option 3" }).press("Enter")
          await focused('.options [aria-label="Remove option 3"]')
          await page.keyboard.press("Enter")
          await page.locator(".options .row button:focus").getByText("Add option").waitFor()
          await page.getByRole("button", { name: "Remove question urgent" }).press("Enter")
          await focused('[aria-label="Remove question mood"]')
          await page.keyboard.press("Enter")
          await page.locator("button:focus").getByText("Add a question").waitFor()
          for (const name of ["Keys", "Flows", "Playground", "Flows"]) {
            await page.getByRole("navigation").getByRole("link", { name }).press("Enter")
            await page.getByRole("heading", { name, level: 1 }).waitFor()
            await focused("main")
            expect(await page.locator("main").evaluate((main) => getComputedStyle(main).outlineStyle)).toBe("none")
          }
          await page.getByRole("link", { name: "Support triage" }).press("Enter")
          await page.locator(".react-flow__node").first().waitFor()
          await focused("main.editor")
          await page.locator(".react-flow__node").last().press("Enter")
          await page.getByRole("button", { name: "Delete the outcome" }).press("Enter")
          await focused("main.editor")
          await page.getByRole("textbox", { name: "Slug" }).fill("desk")
          await page.getByRole("button", { name: "Change the slug" }).press("Enter")
          await page.getByText("/v1/flows/desk/run").first().waitFor()
          await page.locator("button:focus").getByText("Change the slug").waitFor()
          await page.goBack()
          await page.getByRole("heading", { name: "Flows", level: 1 }).waitFor()
          await focused("main")
        })
      }),
    60_000
  )

  it(
    "a choice says what is chosen",
    () =>
      Effect.gen(function* () {
        const { page } = yield* signedIn("playground")
        yield* at(page, async () => {
          await page.getByLabel("Template", { exact: true }).check()
          const described = page.getByRole("combobox", { name: "Template", description: /\w/ })
          await described.waitFor()
        })
      }),
    60_000
  )
})
