import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"
import { at, openWindow, signedIn, visit } from "./window.ts"

http("In a browser, an account", (it) => {
  it(
    "is made, left and entered again",
    () =>
      Effect.gen(function* () {
        const page = yield* openWindow
        yield* visit(page, "")
        yield* at(page, async () => {
          await page.getByRole("button", { name: "Sign up" }).click()
          await page.getByLabel("E-mail").fill(`café-${Date.now()}@bücher.example`)
          await page.getByLabel("Password").fill("correct horse battery")
          const email = await page.getByLabel("E-mail").inputValue()
          await page.locator("form").getByRole("button", { name: "Sign up" }).click()
          await page.getByRole("heading", { name: "Playground" }).waitFor()
          await page.getByRole("button", { name: "Sign out" }).click()
          await page.getByLabel("E-mail").fill(email)
          await page.getByLabel("Password").fill("not the password")
          await page.getByRole("button", { name: "Sign in" }).click()
          const alert = page.getByRole("alert")
          expect(await alert.textContent()).toContain("wrong")
          expect(await alert.locator("code").textContent()).toMatch(/^req_/)
          await page.getByLabel("Password").fill("correct horse battery")
          await page.getByRole("button", { name: "Sign in" }).click()
          await page.getByRole("heading", { name: "Playground" }).waitFor()
        })
      }),
    60_000
  )

  it(
    "creates a key, uses it, and revokes it",
    () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const { page, password } = yield* signedIn("keys")
        const secret = yield* at(page, async () => {
          await page.getByRole("button", { name: "Create key" }).click()
          await page.getByLabel("Name").fill("from the browser")
          await page.getByLabel("Name").hover()
          await page.mouse.down()
          await page.mouse.move(5, 5)
          await page.mouse.up()
          await page.getByRole("button", { name: "Create", exact: true }).click()
          const dialog = page.getByRole("dialog")
          const shown = await dialog.locator(".secret code").textContent()
          await dialog.getByRole("button", { name: "Copy key" }).click()
          await dialog.getByText("Copied").waitFor()
          // As on pages that did not come over https.
          await page.evaluate(() =>
            Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true })
          )
          await dialog.getByRole("button", { name: "Copy key" }).press("Enter")
          expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe("Copy key")
          await page.evaluate(() => Reflect.deleteProperty(navigator, "clipboard"))
          await page.mouse.click(5, 5)
          for (let n = 0; n < 3; n++) await page.keyboard.press("Escape")
          await dialog.waitFor()
          expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown ?? "")
          await dialog.getByRole("button", { name: "Done" }).click()
          return shown ?? ""
        })
        expect(secret).toMatch(/^svc_\w{36}$/)
        expect((yield* app.send("GET", "/v1/templates", { key: secret })).status).toBe(200)
        yield* at(page, async () => {
          await page.reload()
          const row = page.getByRole("row", { name: /from the browser/ })
          expect(await row.textContent()).toContain(secret.slice(-4))
          expect(await page.content()).not.toContain(secret)
          await row.getByRole("button", { name: "Revoke" }).click()
          await page.getByRole("button", { name: "Revoke key" }).click()
          await page.getByText("No active key yet.").waitFor()
          await page.context().clearCookies()
          await page.getByRole("link", { name: "Flows" }).click()
          const dialog = page.getByRole("dialog", { name: "Your session has ended" })
          await dialog.getByLabel("Password").fill(password)
          await dialog.getByRole("button", { name: "Sign in" }).click()
          await page.getByRole("link", { name: "Support triage" }).waitFor()
        })
        expect((yield* app.send("GET", "/v1/templates", { key: secret })).status).toBe(401)
      }),
    60_000
  )

  it(
    "changes its password",
    () =>
      Effect.gen(function* () {
        const { page, send, email, password } = yield* signedIn("account")
        yield* at(page, async () => {
          await page.getByLabel("Current password").fill(password)
          await page.getByLabel("New password").fill("quite another one")
          await page.getByRole("button", { name: "Change password" }).click()
          await page.getByText("Your password is changed.").waitFor()
        })
        expect((yield* send("POST", "/session", { email, password: "quite another one" })).status).toBe(200)
      }),
    60_000
  )
})
