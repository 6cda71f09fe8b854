import { afterAll, expect } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Locator, Page } from "playwright-core"
import { Ledger } from "#src/billing/Ledger"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"
import { at, closeBrowser, signedIn } from "./window.ts"

afterAll(closeBrowser)

const node = (page: Page, name: string) => page.locator(".react-flow__node").filter({ hasText: name })

const middle = async (what: Locator) => {
  await what.waitFor()
  const box = await what.boundingBox()
  if (box === null) throw new Error("It cannot be seen.")
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Draws a way from an answer of a question to another node, with the mouse. */
const draw = async (page: Page, from: string, answer: string, to: string) => {
  const exit = node(page, from).locator("li.exit").filter({ hasText: answer }).locator(".react-flow__handle")
  const start = await middle(exit)
  const end = await middle(node(page, to).locator(".react-flow__handle.target"))
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 })
  await page.mouse.move(end.x, end.y, { steps: 4 })
  await page.mouse.up()
}

const saved = (page: Page) => page.locator('.save-state[data-state="saved"]').waitFor()
const settled = (page: Page) => page.waitForTimeout(350)

/** Three nodes, two ways. */
const drawn = async (page: Page) => {
  await page.getByRole("button", { name: "New flow" }).click()
  await page.getByLabel("Name").fill("Late orders")
  await page.getByRole("button", { name: "Create" }).click()
  await page.getByRole("button", { name: "+ Question" }).click()
  await page.getByLabel("Label").fill("Is it late?")
  await page.getByRole("textbox", { name: "Question", exact: true }).fill("Is the order late")
  for (const outcome of ["apologise", "thank"]) {
    await page.getByRole("button", { name: "+ Outcome" }).click()
    await page.getByRole("textbox", { name: "Outcome" }).fill(outcome)
  }
  await page.getByRole("button", { name: "Tidy" }).click()
  await settled(page)
  await draw(page, "Is it late?", "yes", "apologise")
  await draw(page, "Is it late?", "no", "thank")
  await page.locator(".react-flow__edge").nth(1).waitFor({ state: "attached" })
  await saved(page)
}

http("In a browser, a flow", (it) => {
  const opened = Effect.fn(function* () {
    const ledger = yield* Ledger
    const person = yield* signedIn("flows")
    yield* ledger.credit(person.accountId, 10_000, "test")
    return person
  })

  it(
    "is drawn with the mouse, tried with its way lit up, published, and run over /v1",
    () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const { page, send } = yield* opened()
        const key = (yield* send("POST", "/keys", { name: "k" })).body.secret
        yield* at(page, async () => {
          await drawn(page)
          await page.getByLabel("Test", { exact: true }).check()
          await page.getByRole("textbox", { name: "Text" }).fill("My parcel is late")
          await page.getByRole("button", { name: "Run the draft" }).click()
          expect(await page.locator(".outcome strong").textContent()).toBe("apologise")
          expect(await page.locator(".flow-node.lit").count()).toBe(2)
          expect(await page.locator(".react-flow__edge.lit").count()).toBe(1)
          await page.getByRole("button", { name: "Publish" }).click()
          const dialog = page.getByRole("dialog")
          await dialog.getByText("Is it late? — yes → apologise").waitFor()
          await dialog.getByRole("button", { name: "Publish" }).click()
          await page.getByText("version 1").waitFor()
        })
        const run = yield* app.send("POST", "/v1/flows/late-orders/run", { key, body: { text: "My parcel is late" } })
        expect([run.status, run.body.outcome, run.body.version]).toEqual([200, "apologise", 1])
        expect(
          (yield* app.send("POST", "/v1/flows/late-orders/run", { key, body: { text: "All fine" } })).body.outcome
        ).toBe("thank")
      }),
    90_000
  )

  it(
    "takes changes back and makes them again, and shows what is wrong with it meanwhile",
    () =>
      Effect.gen(function* () {
        const { page } = yield* opened()
        yield* at(page, async () => {
          await drawn(page)
          const edges = page.locator(".react-flow__edge")
          expect(await edges.count()).toBe(2)
          await page.getByRole("button", { name: "Undo" }).click()
          await page.waitForFunction(() => document.querySelectorAll(".react-flow__edge").length === 1)
          await page.locator(".flow-node.faulty").first().waitFor()
          expect(await node(page, "Is it late?").locator(".fault-mark").textContent()).toContain("no way on for no")
          await page.getByRole("button", { name: "Redo" }).click()
          await page.waitForFunction(() => document.querySelectorAll(".react-flow__edge").length === 2)
          await page
            .locator(".canvas")
            .focus()
            .catch(() => {})
          await page.locator(".react-flow__pane").click({ position: { x: 10, y: 10 } })
          for (let n = 0; n < 2; n++) await page.keyboard.press("Control+z")
          await page.waitForFunction(() => document.querySelectorAll(".react-flow__edge").length === 0)
          await page.keyboard.press("Control+Shift+z")
          await page.waitForFunction(() => document.querySelectorAll(".react-flow__edge").length === 1)
        })
      }),
    90_000
  )

  it(
    "can be drawn by keyboard and in the side panel alone",
    () =>
      Effect.gen(function* () {
        const { page } = yield* opened()
        yield* at(page, async () => {
          await page.getByRole("button", { name: "New flow" }).click()
          await page.getByLabel("Name").fill("By keyboard")
          await page.keyboard.press("Enter")
          await page.getByRole("button", { name: "+ Question" }).focus()
          await page.keyboard.press("Enter")
          await page.getByRole("textbox", { name: "Question", exact: true }).fill("Is it late")
          await page.getByRole("combobox", { name: "yes leads to" }).selectOption("+outcome")
          await page.getByRole("combobox", { name: "otherwise leads to" }).selectOption("+outcome")
          await page.locator(".react-flow__node").nth(2).waitFor()
          await saved(page)
          await page.locator(".react-flow__node").nth(2).focus()
          await page.keyboard.press("Enter")
          await page.getByRole("textbox", { name: "Outcome" }).waitFor()
          const before = await page.locator(".react-flow__node").nth(2).boundingBox()
          await page.locator(".react-flow__node").nth(2).focus()
          await page.keyboard.press("ArrowDown")
          await page.waitForFunction(
            (y) => (document.querySelectorAll(".react-flow__node")[2]?.getBoundingClientRect().y ?? 0) > y,
            before?.y ?? 0
          )
          await page.keyboard.press("Delete")
          await page.waitForFunction(() => document.querySelectorAll(".react-flow__node").length === 2)
        })
      }),
    90_000
  )

  it(
    "that was changed elsewhere is never overwritten unasked",
    () =>
      Effect.gen(function* () {
        const { page, send } = yield* opened()
        const example = (yield* send("GET", "/flows")).body.flows.find(
          ({ slug }: { slug: string }) => slug === "content-gate"
        )
        const change = Effect.fn(function* (name: string) {
          const { draft } = (yield* send("GET", `/flows/${example.id}`)).body
          const { revision, definition } = draft
          return (yield* send("POST", `/flows/${example.id}`, { revision, content: { name, definition } })).body.draft
        })
        yield* at(page, async () => {
          await page.getByRole("link", { name: "Content gate" }).click()
          await page.locator(".react-flow__node").first().waitFor()
        })
        yield* change("Theirs")
        yield* at(page, async () => {
          await page.getByLabel("Name").fill("Mine")
          await page.getByRole("dialog", { name: "This flow was changed elsewhere" }).waitFor()
          await page.getByRole("button", { name: "Load theirs" }).click()
          await page.getByRole("heading", { name: "Theirs" }).waitFor()
        })
        yield* change("Theirs again")
        yield* at(page, async () => {
          await page.getByLabel("Name").fill("Mine")
          await page.getByRole("button", { name: "Overwrite with mine" }).click()
          await saved(page)
        })
        expect((yield* send("GET", `/flows/${example.id}`)).body.draft.name).toBe("Mine")
      }),
    90_000
  )

  it(
    "says when it could not be saved, and is saved on the next try",
    () =>
      Effect.gen(function* () {
        const { page } = yield* opened()
        yield* at(page, async () => {
          await page.getByRole("link", { name: "Content gate" }).click()
          await page.locator(".react-flow__node").first().waitFor()
          await page.context().setOffline(true)
          await page.getByRole("textbox", { name: "Name" }).fill("Written on a train")
          await page.getByRole("alert").getByText("cannot be reached").waitFor()
          await page.context().setOffline(false)
          await page.getByRole("button", { name: "Try again" }).click()
          await saved(page)
        })
      }),
    90_000
  )

  it(
    "loses nothing when the session ends meanwhile",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { page, accountId, password, email, send } = yield* opened()
        yield* at(page, async () => {
          await page.getByRole("link", { name: "Content gate" }).click()
          await page.locator(".react-flow__node").first().waitFor()
        })
        yield* sql`delete from sessions where account_id = ${accountId}`
        yield* at(page, async () => {
          await page.getByRole("textbox", { name: "Name" }).fill("Written meanwhile")
          const dialog = page.getByRole("dialog", { name: "Your session has ended" })
          await dialog.getByLabel("Password").fill(password)
          await dialog.getByRole("button", { name: "Sign in" }).click()
          await dialog.waitFor({ state: "detached" })
          await saved(page)
        })
        yield* send("POST", "/session", { email, password })
        const { flows } = (yield* send("GET", "/flows")).body
        expect(flows.map(({ name }: { name: string }) => name)).toContain("Written meanwhile")
      }),
    90_000
  )

  it(
    "comes back from a version, and goes out and in as JSON",
    () =>
      Effect.gen(function* () {
        const { page } = yield* opened()
        yield* at(page, async () => {
          await page.getByRole("link", { name: "Content gate" }).click()
          await page.locator(".react-flow__node").first().waitFor()
          const nodes = await page.locator(".react-flow__node").count()
          await page.getByText("More", { exact: true }).click()
          const download = page.waitForEvent("download")
          await page.getByRole("button", { name: "Export JSON" }).click()
          const json = await Bun.file(await (await download).path()).text()
          await page.getByText("More", { exact: true }).click()
          await page.getByRole("button", { name: "Import JSON" }).click()
          await page.getByLabel("Or its JSON").fill(JSON.stringify({ schema: 1, nodes: [], edges: [] }))
          await page.getByRole("button", { name: "Replace what is drawn" }).click()
          await page.locator(".react-flow__node").first().waitFor({ state: "detached" })
          await saved(page)
          await page.getByText("More", { exact: true }).click()
          await page.getByRole("button", { name: "Versions" }).click()
          await page.getByRole("button", { name: "Restore version 1" }).click()
          await page.locator(".react-flow__node").first().waitFor()
          expect(await page.locator(".react-flow__node").count()).toBe(nodes)
          expect(JSON.parse(json).definition.nodes).toHaveLength(nodes)
        })
      }),
    90_000
  )
})
