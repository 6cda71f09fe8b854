import { expect } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { Ledger } from "#src/billing/Ledger"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"
import { count, draw, edges, node, nodes, saved, settled } from "./drawing.ts"
import { at, signedIn, visit } from "./window.ts"

const more = async (page: Page, name: string) => {
  await page.getByText("More", { exact: true }).click()
  await page.getByRole("button", { name }).click()
}

/** One of its two ways is taken by an answer that there is not. */
const faulty = {
  schema: 1,
  start: "gone",
  nodes: [
    { id: "late", kind: "ask", label: "Late?", ask: { template: "spam" } },
    { id: "end", kind: "end", outcome: "done" }
  ],
  edges: [
    { id: "else", from: "late", to: "end", when: { otherwise: true } },
    { id: "strange", from: "late", to: "end", when: { option: "maybe" } }
  ]
}

http("In a browser, a flow", (it) => {
  const opened = Effect.fn(function* () {
    const ledger = yield* Ledger
    const person = yield* signedIn("flows")
    yield* ledger.credit(person.accountId, 10_000, "test")
    return person
  })

  it(
    "is drawn with the mouse, undone and redone, tried with its way lit up, published, and run over /v1",
    () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const { page, send } = yield* opened()
        const key = (yield* send("POST", "/keys", { name: "k" })).body.secret
        yield* at(page, async () => {
          await page.getByRole("button", { name: "New flow" }).click()
          await page.getByLabel("Name").fill("Late orders")
          await page.getByRole("button", { name: "Create" }).click()
          await page.getByRole("button", { name: "a first question" }).click()
          await page.getByLabel("Label").fill("Is it late?")
          await node(page, "Is it late?").locator(".fault-mark", { hasText: "its question has no text" }).waitFor()
          await page.getByRole("textbox", { name: "Question", exact: true }).fill("Is the order late")
          for (const outcome of ["apologise", "thank"]) {
            await page.getByRole("button", { name: "+ Outcome" }).click()
            await page.getByRole("textbox", { name: "Outcome" }).fill(outcome)
          }
          await page.getByRole("button", { name: "Tidy" }).click()
          await settled(page)
          await draw(page, "Is it late?", "yes", "apologise")
          await draw(page, "Is it late?", "no", "thank")
          await count(page, edges, 2)
        })
        yield* at(page, async () => {
          await page.getByRole("button", { name: "Undo" }).click()
          await count(page, edges, 1)
          const fault = node(page, "Is it late?").locator(".fault-mark", { hasText: "no way on for no" })
          await fault.waitFor()
          await page.getByRole("button", { name: "Redo" }).click()
          await count(page, edges, 2)
          await page.locator(".react-flow__pane").click({ position: { x: 10, y: 10 } })
          for (let n = 0; n < 2; n++) await page.keyboard.press("Control+z")
          await count(page, edges, 0)
          for (let n = 0; n < 2; n++) await page.keyboard.press("Control+Shift+z")
          await count(page, edges, 2)
          await count(page, ".flow-node.faulty", 0)
          await saved(page)
        })
        yield* at(page, async () => {
          await page.getByLabel("Test", { exact: true }).check()
          await page.getByRole("textbox", { name: "Text" }).fill("My parcel is late")
          await page.getByRole("button", { name: "Run the draft" }).click()
          expect(await page.locator(".outcome strong").textContent()).toBe("apologise")
          expect(await page.locator(".steps").textContent()).toContain("$0.000015")
          expect(await page.locator(".flow-node.lit").count()).toBe(2)
          await page.getByRole("button", { name: "Tidy" }).click()
          await settled(page)
          expect(await page.locator(".react-flow__edge.lit").count()).toBe(1)
          await page.locator(".react-flow__pane").click({ position: { x: 10, y: 10 } })
          for (let n = 0; n < 2; n++) await page.keyboard.press("Control+z")
          await count(page, ".outcome", 0)
          for (let n = 0; n < 2; n++) await page.keyboard.press("Control+Shift+z")
          await count(page, ".outcome", 1)
          await saved(page)
          expect(await page.title()).toBe("Late orders · Typed decisions")
          await page.getByRole("button", { name: "Publish" }).click()
          const dialog = page.getByRole("dialog")
          await dialog.getByText(/Is it late\?\W+yes\W+apologise/).waitFor()
          await dialog.getByRole("button", { name: "Publish" }).click()
          await page.getByText("version 1").waitFor()
        })
        const run = yield* app.send("POST", "/v1/flows/late-orders/run", { key, body: { text: "My parcel is late" } })
        expect([run.status, run.body.outcome, run.body.version]).toEqual([200, "apologise", 1])
        expect(
          (yield* app.send("POST", "/v1/flows/late-orders/run", { key, body: { text: "All fine" } })).body.outcome
        ).toBe("thank")
      }),
    180_000
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
          await page.getByRole("combobox", { name: "yes leads to" }).selectOption("+ new outcome")
          await page.getByRole("combobox", { name: "otherwise leads to" }).selectOption("+ new outcome")
          await count(page, nodes, 3)
          await saved(page)
          await page.locator(nodes).nth(2).focus()
          await page.keyboard.press("Enter")
          await page.getByRole("textbox", { name: "Outcome" }).waitFor()
          for (const control of ["radio", "button"] as const)
            for (const key of ["Backspace", "Delete"])
              await page.getByLabel("Side panel").getByRole(control).first().press(key)
          await settled(page)
          expect(await page.locator(nodes).count()).toBe(3)
          const before = await page.locator(nodes).nth(2).boundingBox()
          await page.locator(nodes).nth(2).focus()
          await page.keyboard.press("ArrowDown")
          await page.waitForFunction(
            (y) => (document.querySelectorAll(".react-flow__node")[2]?.getBoundingClientRect().y ?? 0) > y,
            before?.y ?? 0
          )
          await page.keyboard.press("Delete")
          await count(page, nodes, 2)
          await saved(page)
          await page.locator(nodes).first().click()
          await page.getByLabel("Choice", { exact: true }).check()
          await page.getByLabel("Name of option 1").fill("refund")
          await page.getByLabel("Name of option 2").fill("other")
          const way = (answer: string) => page.getByRole("combobox", { name: `${answer} leads to`, exact: true })
          await way("refund").selectOption({ index: 1 })
          await way("refund").press("Control+z")
          expect(await way("refund").inputValue()).toBe("")
          // The same key where it types Cyrillic.
          await page.evaluate(() =>
            dispatchEvent(new KeyboardEvent("keydown", { key: "н", code: "KeyY", ctrlKey: true }))
          )
          await page.getByRole("button", { name: "Add option" }).click()
          await page.getByLabel("Name of option 3").pressSequentially("refunds")
          expect(await way("refunds").inputValue()).toBe("")
          expect(await way("refund").inputValue()).not.toBe("")
          await way("unsure").selectOption({ index: 1 })
          await page.getByRole("spinbutton").fill("")
          await page.getByRole("spinbutton").pressSequentially("45")
          await page.getByRole("combobox", { name: "unsure, below 45 % leads to" }).waitFor()
          const names = () =>
            page.locator(".option-name").evaluateAll((all) => all.map((one) => one.getAttribute("value")))
          await page.getByLabel("Choice", { exact: true }).focus()
          for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft"]) await page.keyboard.press(key)
          expect(await names()).toEqual(["refund", "other", "refunds"])
          const question = page.getByRole("textbox", { name: "Question", exact: true })
          await question.fill("Which is it")
          await page.getByLabel("Own question", { exact: true }).focus()
          await page.keyboard.press("ArrowRight")
          await page.getByRole("combobox", { name: "Template" }).waitFor()
          await page.keyboard.press("ArrowLeft")
          expect(await question.inputValue()).toBe("Which is it")
          expect(await names()).toEqual(["refund", "other", "refunds"])
          await question.fill("هل تأخر الطلب؟")
          expect(await question.evaluate((field) => getComputedStyle(field).direction)).toBe("rtl")
          await saved(page)
        })
      }),
    180_000
  )

  it(
    "loses nothing: changed elsewhere, over a slow connection or none, after the session has ended",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { page, accountId, password, email, send } = yield* opened()
        const example = (yield* send("GET", "/flows")).body.flows.find(
          ({ slug }: { slug: string }) => slug === "content-gate"
        )
        const stored = Effect.suspend(() => send("GET", `/flows/${example.id}`)).pipe(
          Effect.map(({ body }) => body.draft)
        )
        const changeElsewhere = Effect.fn(function* (name: string) {
          const { revision, definition } = yield* stored
          yield* send("POST", `/flows/${example.id}`, { revision, content: { name, definition } })
        })
        const name = page.getByRole("textbox", { name: "Name" })
        yield* at(page, async () => {
          await page.getByRole("link", { name: "Content gate" }).click()
          await page.locator(nodes).first().waitFor()
        })

        yield* changeElsewhere("Theirs")
        yield* at(page, async () => {
          await name.fill("Mine")
          const dialog = page.getByRole("dialog", { name: "This flow was changed elsewhere" })
          await dialog.waitFor()
          for (let n = 0; n < 3; n++) await page.keyboard.press("Escape")
          await page.evaluate(() => document.querySelector("dialog")?.close())
          await page.waitForFunction(() => document.querySelector("dialog")?.matches(":modal"))
          await page.getByRole("button", { name: "Load theirs" }).click()
          await dialog.waitFor({ state: "detached" })
          await page.getByRole("heading", { name: "Theirs" }).waitFor()
          await page.getByRole("button", { name: "Undo" }).click()
          await page.getByRole("heading", { name: "Mine" }).waitFor()
          await page.getByRole("button", { name: "Redo" }).click()
          await page.getByRole("heading", { name: "Theirs" }).waitFor()
          await saved(page)
        })
        yield* changeElsewhere("Theirs again")
        yield* at(page, async () => {
          await name.fill("Mine")
          // Whether the conflict is known by then or not.
          await page.getByRole("button", { name: "Publish" }).dispatchEvent("click")
          const overwrite = page.getByRole("button", { name: "Overwrite with mine" })
          await overwrite.focus()
          await page.keyboard.press("Control+z")
          await overwrite.click()
          await saved(page)
          expect(await page.getByRole("dialog").count()).toBe(0)
        })
        expect((yield* stored).name).toBe("Mine")

        const { balance } = yield* TestApp
        const before = yield* balance(accountId)
        yield* changeElsewhere("Theirs before a run")
        yield* at(page, async () => {
          await page.getByLabel("Test", { exact: true }).check()
          await page.getByRole("button", { name: "Run the draft" }).click()
          await page.getByRole("button", { name: "Load theirs" }).click()
          await page.getByRole("heading", { name: "Theirs before a run" }).waitFor()
          await page.getByLabel("Flow", { exact: true }).check()
        })
        expect(yield* balance(accountId)).toEqual(before)
        yield* changeElsewhere("Theirs before a version")
        yield* at(page, async () => {
          await page.getByRole("button", { name: "Publish" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click()
          await page.getByRole("button", { name: "Overwrite with mine" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "Not yet" }).click()
          await saved(page)
        })
        expect(yield* stored).toMatchObject({
          name: "Theirs before a run",
          published_version: 1,
          published_revision: 1
        })

        yield* at(page, async () => {
          const sent = Promise.withResolvers<void>()
          await page.route(
            /flow_\w+\/test$/,
            async (route) => {
              await sent.promise
              await route.continue()
            },
            { times: 1 }
          )
          await page.getByLabel("Test", { exact: true }).check()
          await page.getByRole("button", { name: "Run the draft" }).click()
          await page.getByLabel("Flow", { exact: true }).check()
          await name.fill("Mine while it runs")
          await page.waitForTimeout(700)
          await saved(page)
          sent.resolve()
          await page.getByLabel("Test", { exact: true }).check()
          await page.locator(".outcome strong").waitFor()
          expect(await page.getByRole("dialog").count()).toBe(0)
          await page.getByLabel("Flow", { exact: true }).check()
        })

        yield* at(page, async () => {
          const answered = Promise.withResolvers<void>()
          await page.route(/flows\/flow_\w+$/, async (route) => {
            await answered.promise
            await route.continue()
          })
          for (const written of ["Written", "Written while", "Written while it was slow"]) {
            await name.fill(written)
            // Longer than the pause before a save.
            await page.waitForTimeout(700)
          }
          answered.resolve()
          await saved(page)
        })
        expect((yield* stored).name).toBe("Written while it was slow")

        yield* at(page, async () => {
          await page.route(
            /flows\/flow_\w+$/,
            async (route) => {
              await route.fetch()
              await route.abort()
            },
            { times: 1 }
          )
          await name.fill("Saved, but not told")
          await page.getByRole("alert").getByText("cannot be reached").waitFor()
          await name.fill("Written after it")
          await saved(page)
          expect(await page.getByRole("dialog").count()).toBe(0)
        })
        expect((yield* stored).name).toBe("Written after it")

        yield* at(page, async () => {
          await page.route(/\/slug$/, async (route) => {
            // Longer than the pause before a save.
            await page.waitForTimeout(900)
            await route.continue()
          })
          await page.getByRole("textbox", { name: "Slug" }).fill("front-gate")
          await page.getByRole("button", { name: "Change the slug" }).click()
          await name.fill("Written while it moved")
          await page.getByText("/v1/flows/front-gate/run").waitFor()
          await saved(page)
          expect(await page.getByRole("dialog").count()).toBe(0)
        })
        expect(yield* stored).toMatchObject({ slug: "front-gate", name: "Written while it moved" })

        yield* at(page, async () => {
          await page.context().setOffline(true)
          await name.fill("Written on a train")
          await page.getByRole("alert").getByText("cannot be reached").waitFor()
          await page.evaluate(() => {
            window.confirm = (question) => {
              document.body.title += question
              return false
            }
          })
          await page.getByRole("link", { name: "All flows" }).click()
          await page.evaluate(() => history.back())
          await page.getByRole("button", { name: "Sign out" }).click()
          await page.waitForFunction(() => document.body.title.match(/not saved/g)?.length === 3)
          await page.getByRole("button", { name: "Publish" }).click()
          await page.getByRole("alert").getByText("cannot be reached").waitFor()
          await name.fill("  ")
          await page.getByText("it stays “Written on a train”").waitFor()
          expect(await name.inputValue()).toBe("  ")
          await name.blur()
          expect(await name.inputValue()).toBe("Written on a train")
          await page.context().setOffline(false)
          await page.getByRole("button", { name: "Try again" }).click()
          await saved(page)
          expect(await page.getByRole("dialog").count()).toBe(0)
        })
        expect((yield* stored).name).toBe("Written on a train")

        yield* sql`delete from sessions where account_id = ${accountId}`
        yield* at(page, async () => {
          await name.fill("Written meanwhile")
          const dialog = page.getByRole("dialog", { name: "Your session has ended" })
          await dialog.getByLabel("Password").fill(password)
          await dialog.getByRole("button", { name: "Sign in" }).click()
          await dialog.waitFor({ state: "detached" })
          await saved(page)
        })
        yield* send("POST", "/session", { email, password })
        expect((yield* stored).name).toBe("Written meanwhile")
      }),
    180_000
  )

  it(
    "begins with one of two examples where there is none",
    () =>
      Effect.gen(function* () {
        const { page, accountId } = yield* opened()
        const sql = yield* SqlClient
        yield* sql`delete from flows where account_id = ${accountId}`
        yield* visit(page, "flows")
        yield* at(page, async () => {
          await page.getByText("No flow yet.").waitFor()
          const examples = page.getByRole("region", { name: "Examples" })
          await examples.getByRole("heading", { name: "Content gate" }).waitFor()
          await examples.getByRole("button", { name: "Use this: Support triage" }).click()
          await count(page, nodes, 13)
          await count(page, ".flow-node.faulty", 0)
        })
      }),
    60_000
  )

  it(
    "comes back from a version, and goes out and in as JSON",
    () =>
      Effect.gen(function* () {
        const { page } = yield* opened()
        yield* at(page, async () => {
          await page.getByRole("link", { name: "Content gate" }).click()
          await page.locator(nodes).first().waitFor()
          const drawn = await page.locator(nodes).count()
          const download = page.waitForEvent("download")
          await more(page, "Export JSON")
          const json = await Bun.file(await (await download).path()).text()
          expect(JSON.parse(json).definition.nodes).toHaveLength(drawn)
          await more(page, "Import JSON")
          const file = page.getByLabel("A file that was exported here")
          const written = page.getByLabel("Or its JSON")
          const chosen = { name: "flow.json", mimeType: "application/json", buffer: Buffer.from("{}") }
          await file.setInputFiles(chosen)
          await page.getByRole("button", { name: "Replace what is drawn" }).click()
          await page.getByRole("alert").getByText("not a flow").waitFor()
          const chooser = page.waitForEvent("filechooser")
          await file.click()
          await chooser
          expect(await file.inputValue()).toBe("")
          await file.dispatchEvent("cancel", { bubbles: true })
          await page.getByRole("alert").getByText("not a flow").waitFor()
          expect(await written.inputValue()).toBe("{}")
          await written.fill(JSON.stringify(faulty))
          await page.getByRole("button", { name: "Replace what is drawn" }).click()
          await count(page, nodes, 2)
          await count(page, `${edges}.faulty`, 1)
          await page.getByRole("button", { name: "has to name its answer as 'answer'" }).waitFor()
          const start = page.getByRole("combobox", { name: "Starts at" })
          expect(await start.inputValue()).toBe("")
          await start.selectOption("Late?")
          await count(page, ".fault-list li", 1)
          await saved(page)
          await more(page, "Versions")
          await page.getByRole("button", { name: "Restore version 1" }).click()
          await count(page, nodes, drawn)
          const places = await page.locator(nodes).evaluateAll((all) => all.map(({ style }) => style.transform))
          expect(new Set(places).size).toBe(drawn)
          await page.getByRole("button", { name: "Undo" }).click()
          await count(page, nodes, 2)
          await saved(page)
          await more(page, "Versions")
          await page.getByRole("button", { name: "Take offline" }).click()
          await page.getByRole("alert").getByText("get 404 until it is published again").waitFor()
          await page.getByRole("button", { name: "Keep it" }).click()
          await page.getByText("runs now").waitFor()
          await page.getByRole("button", { name: "Take offline" }).click()
          await page.getByRole("button", { name: "Take it offline" }).click()
          await page.getByRole("dialog").waitFor({ state: "detached" })
          await more(page, "Versions")
          await page.getByRole("button", { name: "Restore version 1" }).waitFor()
          expect(await page.getByText("runs now").count()).toBe(0)
        })
      }),
    180_000
  )
})
