import { expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { Accounts } from "#src/accounts/Accounts"
import { operator, visitor } from "#test/console/visitor"
import { testApp } from "#test/support/app"
import { live } from "#test/support/effect"
import { at, openWindow, visit } from "./window.ts"

live(
  "In a browser, an operator grants credit, and a reference counts once",
  () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      yield* accounts.create(operator.email, Redacted.make(operator.password))
      const customer = yield* visitor
      const page = yield* openWindow
      yield* visit(page, "usage")
      yield* at(page, async () => {
        await page.getByLabel("E-mail").fill(operator.email)
        await page.getByLabel("Password").fill(operator.password)
        await page.getByRole("button", { name: "Sign in" }).click()
        await page.getByText("Grant credit (operator)").click()
        const grant = async (email: string, dollars = "2.50") => {
          await page.getByLabel("E-mail of the account").fill(email)
          await page.getByLabel("US dollars").fill(dollars)
          await page.getByLabel("Reference").fill("invoice 7")
          await page.getByRole("button", { name: "Grant", exact: true }).click()
        }
        await grant(customer.email)
        await page.getByText(`${customer.email} has $2.50 now.`).waitFor()
        await grant(customer.email)
        await page
          .getByText(`Nothing was added: $2.50 came under this reference before. ${customer.email} has $2.50 now.`)
          .waitFor()
        await grant(customer.email, "9")
        await page.getByText("Another amount takes another reference.").waitFor()
        await grant(operator.email)
        await page.getByText(`${operator.email} has $2.50 now.`).waitFor()
        await page.getByText("Credit history (1)").click()
        await page.getByRole("cell", { name: "invoice 7" }).waitFor()
        expect(await page.locator('[data-figure="balance"]').textContent()).toBe("$2.50")
        await grant("ninguém@example.com")
        expect(await page.getByRole("alert").textContent()).toContain("There is no such account.")
      })
      const { body } = yield* customer.send("GET", "/billing")
      expect(body.account.balance_micros).toBe(2_500_000)
      expect(body.credits).toHaveLength(1)
    }).pipe(Effect.provide(testApp({ settings: { operatorEmails: new Set([operator.email]) } }))),
  60_000
)
