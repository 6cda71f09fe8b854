import { expect } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { http } from "#test/support/service"
import { saved } from "./drawing.ts"
import { at, signedIn, visit } from "./window.ts"

http("In a browser, a flow", (it) => {
  it(
    "is left once its last change is saved, or given up by the person",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { page, accountId, send } = yield* signedIn("flows")
        const [{ id }] = (yield* send("GET", "/flows")).body.flows
        const stored = Effect.map(send("GET", `/flows/${id}`), ({ body }) => body.draft)
        const name = page.getByRole("textbox", { name: "Name" })
        const asked = (count: number) =>
          page.waitForFunction((count) => document.body.title.match(/not saved/g)?.length === count, count)
        const leaves = [
          ["a link", () => document.querySelector<HTMLAnchorElement>(".toolbar a")?.click()],
          ["Back", () => history.back()]
        ] as const

        for (const [way, leave] of leaves) {
          yield* visit(page, "flows")
          yield* at(page, async () => {
            await page.locator(`a[href$="${id}"]`).click()
            await name.fill(`Left by ${way}`)
            await page.evaluate(leave)
            await page.getByRole("heading", { name: "Flows", exact: true }).waitFor()
            await page.getByRole("link", { name: `Left by ${way}` }).waitFor()
          })
          expect((yield* stored).name).toBe(`Left by ${way}`)
          yield* at(page, async () => {
            await page.locator(`a[href$="${id}"]`).click()
            await name.waitFor()
            await page.evaluate(() => {
              document.body.title = ""
              window.confirm = (question) => {
                document.body.title += question
                return false
              }
            })
          })
          const { revision, definition } = yield* stored
          yield* send("POST", `/flows/${id}`, { revision, content: { name: "Theirs", definition } })
          yield* at(page, async () => {
            await name.fill(`Kept from ${way}`)
            await page.evaluate(leave)
            await asked(1)
            await page.getByRole("button", { name: "Overwrite with mine" }).click()
            await saved(page)
            expect(await name.inputValue()).toBe(`Kept from ${way}`)
          })
          expect((yield* stored).name).toBe(`Kept from ${way}`)
        }

        yield* at(page, async () => {
          await page.evaluate(() => {
            document.body.title = ""
            const { setTimeout } = window
            const minute = 60_000
            const sooner = (run: () => void, wait = 0) => setTimeout(run, wait === minute ? 300 : wait)
            Object.assign(window, { setTimeout: sooner })
          })
          await page.route(/flows\/flow_\w+$/, () => {})
          await name.fill("Sent into the void")
          await page.evaluate(leaves[0][1])
          await asked(1)
          await page.getByRole("alert").getByText("does not answer").waitFor()
          await page.unrouteAll()
          await page.getByRole("button", { name: "Try again" }).click()
          await saved(page)
          await page.evaluate(() => {
            document.body.title = ""
          })
        })
        expect((yield* stored).name).toBe("Sent into the void")

        yield* sql`delete from sessions where account_id = ${accountId}`
        yield* at(page, async () => {
          await name.fill("Written meanwhile")
          await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click()
          await asked(1)
          await page.evaluate(() => {
            window.confirm = () => true
          })
          await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click()
          await page.getByRole("button", { name: "Sign in" }).waitFor()
        })
      }),
    60_000
  )
})
