import { expect } from "bun:test"
import { Effect } from "effect"
import { Ledger } from "#src/billing/Ledger"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"
import { at, signedIn } from "./window.ts"

http("In a browser, the playground", (it) => {
  const opened = Effect.fn(function* (micros: number) {
    const ledger = yield* Ledger
    const person = yield* signedIn("playground")
    if (micros > 0) yield* ledger.credit(person.accountId, micros, "test")
    return person
  })

  it(
    "asks, shows every probability and what it cost, and the same after the options are put in another order",
    () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const { page, accountId } = yield* opened(1_000)
        yield* at(page, async () => {
          await page.getByRole("textbox", { name: "State" }).fill("I want a refund today")
          await page.getByRole("button", { name: "Run", exact: true }).click()
          const topic = page.getByRole("article", { name: "Answer to topic" })
          expect(await topic.locator(".verdict").textContent()).toBe("refund")
          expect(await topic.locator(".bars li").count()).toBe(4)
          expect(await page.locator(".meta").textContent()).toContain("$0.000045")
          expect(await page.locator(".meta").textContent()).toContain("svc-english")
          await page.getByRole("group", { name: "topic" }).getByRole("button", { name: "Reverse the order" }).click()
          await page.getByRole("button", { name: "Run", exact: true }).click()
          // Rounding to six decimals may give the last millionth to another option.
          expect(await topic.locator(".reordered").textContent()).toMatch(/to the last digit|more than 0\.000001\./)
          expect(await topic.locator(".bars li").first().textContent()).toContain("praise")
          await page.getByRole("textbox", { name: "State" }).fill("A cancellation, please")
          await page.getByRole("group", { name: "topic" }).getByRole("button", { name: "Reverse the order" }).click()
          await page.getByRole("button", { name: "Run", exact: true }).click()
          await topic.locator(".verdict").getByText("cancellation").waitFor()
          expect(await topic.locator(".reordered").count()).toBe(0)
          await page.getByRole("link", { name: "Skip to the page" }).press("Enter")
          expect(await page.evaluate(() => document.activeElement?.id)).toBe("main")
          await page.evaluate(() => {
            location.hash = "nothing"
          })
          // What an address holds is unpacked before it is shown.
          await page.waitForTimeout(300)
          expect(await topic.count()).toBe(1)
        })
        expect((yield* app.balance(accountId)).balance).toBe(1_000 - 3 * 3 * 15)
      }),
    60_000
  )

  it(
    "says what is missing, and shows the id of a refused request",
    () =>
      Effect.gen(function* () {
        const { page } = yield* opened(0)
        yield* at(page, async () => {
          await page.getByRole("button", { name: "Run", exact: true }).click()
          const alert = page.getByRole("alert")
          expect(await alert.textContent()).toContain("credit balance")
          expect(await alert.locator("code").textContent()).toMatch(/^req_/)
          await page.getByRole("textbox", { name: "Name of option 2" }).first().fill("refund")
          await page.getByText("have the same name").waitFor()
          expect(await page.getByRole("button", { name: "Run", exact: true }).isDisabled()).toBe(true)
        })
      }),
    60_000
  )

  it(
    "is restored from a link that holds no secret",
    () =>
      Effect.gen(function* () {
        const { page } = yield* opened(0)
        yield* at(page, async () => {
          await page.getByRole("textbox", { name: "State" }).fill("Grüße aus Köln")
          await page.getByLabel("JSON", { exact: true }).check()
          await page.getByRole("button", { name: "Copy link" }).click()
          await page.getByText("Link copied").waitFor()
          const link = await page.evaluate(() => navigator.clipboard.readText())
          expect(link).toContain("/console/playground#")
          await page.goto("about:blank")
          await page.goto(link)
          const state = page.getByRole("textbox", { name: "State" })
          await state.waitFor()
          expect(JSON.parse(await state.inputValue())).toEqual({ message: "Grüße aus Köln" })
          // Also by a page that shows something else just now.
          await page.goto(link.replace(/#.*/, ""))
          await state.fill("something else")
          await page.goto(link)
          await page.waitForFunction(() => document.querySelector("textarea")?.value.includes("Köln"))
        })
      }),
    60_000
  )

  it(
    "keeps what is written while one is elsewhere, until one signs out",
    () =>
      Effect.gen(function* () {
        const { base } = yield* TestApp
        const { page, email, password } = yield* opened(0)
        yield* at(page, async () => {
          const state = page.getByRole("textbox", { name: "State" })
          await page.getByRole("button", { name: "Copy link" }).click()
          await page.getByText("Link copied").waitFor()
          await state.fill("What I wrote")
          await page.getByRole("link", { name: "Docs" }).click()
          await page.waitForURL(`${base}/docs`)
          await page.goBack()
          await state.waitFor()
          expect(await state.inputValue()).toBe("What I wrote")
          await page.getByRole("link", { name: "Templates" }).click()
          await page.getByRole("heading", { name: "Templates" }).waitFor()
          await page.getByRole("link", { name: "Playground" }).click()
          await state.waitFor()
          expect(await state.inputValue()).toBe("What I wrote")
          await page.getByRole("button", { name: "Sign out" }).click()
          await page.getByLabel("E-mail").fill(email)
          await page.getByLabel("Password").fill(password)
          await page.getByRole("button", { name: "Sign in" }).click()
          await page.getByRole("link", { name: "Playground" }).click()
          await state.waitFor()
          expect(await state.inputValue()).not.toBe("What I wrote")
        })
      }),
    60_000
  )

  it(
    "writes the request as a program that works",
    () =>
      Effect.gen(function* () {
        const { page, send } = yield* opened(1_000)
        const key = (yield* send("POST", "/keys", { name: "k" })).body.secret
        const { curl, typescript } = yield* at(page, async () => {
          const shown = async () => (await page.locator(".snippets pre").textContent()) ?? ""
          await page.getByRole("textbox", { name: "State" }).fill("It's a refund, isn't it? \"Yes\" $HOME")
          const curl = await shown()
          await page.getByLabel("TypeScript").check()
          expect(await shown()).not.toContain("cache")
          await page.getByLabel("Take answers from the cache").uncheck()
          const typescript = await shown()
          expect(typescript).toContain("// The SDK has no option for the cache: this may be answered from it.")
          await page.getByLabel("Python").check()
          expect(await shown()).toMatch(/requests\.post[\s\S]*"cache": False/)
          await page.getByLabel("JSON", { exact: true }).check()
          await page.getByRole("textbox", { name: "State" }).fill('{"order": 12345678901234567890, "parts": [1, 2.50]}')
          for (const language of ["Python", "TypeScript", "curl"]) {
            await page.getByLabel(language, { exact: true }).check()
            expect(await shown()).toMatch(/"order": 12345678901234567890,\s+"parts": \[\s+1,\s+2.5\s+\]/)
            expect((await shown()).includes("// JavaScript rounds")).toBe(language === "TypeScript")
          }
          return { curl, typescript }
        })
        expect(curl + typescript).not.toContain(key)
        const printed = (...command: ReadonlyArray<string>) =>
          Effect.promise(() => {
            const env = { ...process.env, API_KEY: key }
            return new Response(Bun.spawn([...command], { env, stdout: "pipe" }).stdout).text()
          })
        expect(JSON.parse(yield* printed("bash", "-c", `${curl} -s`)).answers.topic.choice).toBe("refund")
        expect(yield* printed(process.execPath, "-e", typescript)).toStartWith("refund\n")
      }),
    60_000
  )

  it(
    "runs a template",
    () =>
      Effect.gen(function* () {
        const { page } = yield* opened(1_000)
        yield* at(page, async () => {
          const unreachable = /\/console\/api\/(templates|models)$/
          await page.route(unreachable, (route) => route.abort())
          await page.reload()
          await page.getByLabel("Template", { exact: true }).check()
          await page.getByText("The templates could not be loaded.").waitFor()
          expect(await page.getByRole("alert").getByText("cannot be reached").count()).toBe(2)
          await page.unroute(unreachable)
          for (let left = 2; left > 0; left--) {
            expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(left)
            await page.getByRole("button", { name: "Try again" }).first().click()
            await page
              .getByRole("alert")
              .nth(left - 1)
              .waitFor({ state: "detached" })
          }
          await page.getByRole("option", { name: "svc-english" }).waitFor({ state: "attached" })
          await page.getByRole("combobox", { name: "Template" }).selectOption("sentiment")
          await page.getByRole("button", { name: "Use its example text" }).click()
          await page.getByRole("button", { name: "Run", exact: true }).click()
          await page.getByRole("article", { name: "Answer to sentiment" }).waitFor()
        })
      }),
    60_000
  )

  it(
    "moderates",
    () =>
      Effect.gen(function* () {
        const { page } = yield* opened(1_000)
        yield* at(page, async () => {
          await page.getByRole("link", { name: "Moderation" }).click()
          const text = page.getByRole("textbox", { name: "Text" })
          const moderate = page.getByRole("button", { name: "Moderate" })
          const first = await text.inputValue()
          await text.fill("x".repeat(64_001))
          await page.getByText("64,001 characters: at most 64,000 can be read.").waitFor()
          expect(await moderate.isDisabled()).toBe(true)
          const long = first.padEnd(64_000, ".")
          await text.fill(long)
          await page.getByRole("link", { name: "Keys" }).click()
          await page.getByRole("link", { name: "Moderation" }).click()
          expect(await text.inputValue()).toBe(long)
          await moderate.click()
          await page.locator(".scores li").first().waitFor()
          expect(await page.locator(".scores li").count()).toBe(13)
        })
      }),
    60_000
  )
})
