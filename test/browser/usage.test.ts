import { expect } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { Ledger } from "#src/billing/Ledger"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"
import { at, signedIn, visit } from "./window.ts"

http("In a browser, the usage page", (it) => {
  it(
    "has the numbers that were spent: in sum, by day, by key, in the chart and as CSV",
    () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const ledger = yield* Ledger
        const { page, accountId, send } = yield* signedIn("keys")
        yield* ledger.credit(accountId, 100_000, "test")
        const key = (yield* send("POST", "/keys", { name: "server" })).body.secret
        const question = { type: "choice", criteria: { a: null, b: null } }
        for (let n = 1; n <= 3; n++)
          yield* app.send("POST", "/v1/systemone", {
            key,
            body: { state: "a", model: "svc-auto", questions: { one: question, two: question } }
          })
        yield* send("POST", "/moderate", { text: "hello" })
        yield* visit(page, "usage")
        yield* at(page, async () => {
          const figure = (name: string) => page.locator(`[data-figure="${name}"]`).textContent()
          await page.locator('[data-figure="decisions"]').waitFor()
          expect(await figure("decisions")).toBe("14")
          expect(await figure("cost")).toBe("$0.00021")
          expect(await figure("requests")).toBe("4")
          expect(await figure("balance")).toBe("$0.09979")
          const rows = page.getByRole("table", { name: "By key" }).getByRole("row")
          expect(await rows.filter({ hasText: "server" }).textContent()).toBe("server36$0.00009")
          expect(await rows.filter({ hasText: "Console" }).textContent()).toBe("Console18$0.00012")
          const chart = page.getByRole("img", { name: /Decisions per day/ })
          await chart.locator("canvas").waitFor()
          expect(await chart.getAttribute("data-largest")).toBe("14")
          await page.getByRole("combobox", { name: "Key" }).selectOption({ label: "server" })
          expect(await figure("decisions")).toBe("6")
          expect(await chart.getAttribute("data-largest")).toBe("6")
          const download = page.waitForEvent("download")
          await page.getByRole("button", { name: "CSV" }).click()
          const csv = await Bun.file(await (await download).path()).text()
          expect(
            csv
              .split("\r\n")
              .slice(1)
              .map((line) => line.split(",").slice(3).join(","))
              .sort()
          ).toEqual(["1,8,0.000120", "3,6,0.000090"])
          await page.getByLabel("90 days").check()
          await page.getByRole("table", { name: "By day" }).waitFor()
        })
      }),
    60_000
  )

  it(
    "shows all keys where the chosen one did nothing in another span",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { page, accountId, send } = yield* signedIn("usage")
        const used = Effect.fn(function* (name: string, daysAgo: number, decisions: number) {
          const { id } = (yield* send("POST", "/keys", { name })).body
          yield* sql`insert into usage_days (account_id, key_id, day, requests, decisions, cost_micros)
            values (${accountId}, ${id}, (clock_timestamp() at time zone 'utc')::date - ${daysAgo}::integer, 1, ${decisions}, 15)`
        })
        yield* used("recent", 0, 3)
        yield* used("old", 20, 5)
        yield* visit(page, "usage")
        yield* at(page, async () => {
          const decisions = (sum: string) => page.locator('[data-figure="decisions"]').getByText(sum, { exact: true })
          const chosen = (name: string) => page.locator("option:checked").getByText(name, { exact: true })
          await decisions("8").waitFor()
          await page.getByRole("combobox", { name: "Key" }).selectOption("old")
          await decisions("5").waitFor()
          await page.getByLabel("7 days").check()
          await decisions("3").waitFor()
          await chosen("All keys").waitFor({ state: "attached" })
          await page.getByLabel("30 days").check()
          await decisions("5").waitFor()
          await chosen("old").waitFor({ state: "attached" })
        })
      }),
    60_000
  )
})
