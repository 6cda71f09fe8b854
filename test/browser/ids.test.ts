import { expect } from "bun:test"
import { Effect } from "effect"
import { http } from "#test/support/service"
import { count, dragged, draw, edges, middle, node, nodes, saved } from "./drawing.ts"
import { at, signedIn, visit } from "./window.ts"

/** Its ids and its options hold what means something in a selector. */
const quoted = {
  schema: 1,
  start: 'say "hi"',
  nodes: [
    {
      id: 'say "hi"',
      kind: "ask",
      label: "Greets?",
      ask: { type: "choice", question: "Does it greet?", options: ['"hello"', "C:\\new", "100%22"] },
      x: 0,
      y: 0
    },
    { id: "C:\\d%22]", kind: "end", outcome: "greeted", x: 500, y: 0 },
    { id: '"', kind: "end", outcome: "silent", x: 500, y: 160 },
    { id: "+outcome", kind: "end", outcome: "later", x: 500, y: 320 }
  ],
  edges: [{ id: '"], *', from: 'say "hi"', to: '"', when: { option: '"hello"' } }]
}

http("In a browser, a flow", (it) => {
  it(
    "is drawn, joined, selected and cleared whatever its ids are",
    () =>
      Effect.gen(function* () {
        const { page, send } = yield* signedIn("flows")
        const content = { name: "Quoted", definition: quoted }
        const { id } = (yield* send("POST", "/flows", { slug: "quoted", content })).body
        const stored = Effect.map(send("GET", `/flows/${id}`), ({ body }) => body.draft.definition)
        yield* visit(page, `flows/${id}`)
        yield* at(page, async () => {
          await count(page, nodes, 4)
          await count(page, edges, 1)
          await draw(page, "Greets?", "hello", "greeted")
          await draw(page, "Greets?", "C:", "silent")
          await node(page, "Greets?").click()
          await page.getByRole("combobox", { name: "100%22 leads to" }).selectOption({ label: "later" })
          await count(page, nodes, 4)
          await count(page, edges, 3)
          await saved(page)
        })
        expect((yield* stored).edges).toMatchObject([
          { id: '"], *', to: "C:\\d%22]", when: { option: '"hello"' } },
          { to: '"', when: { option: "C:\\new" } },
          { to: "+outcome", when: { option: "100%22" } }
        ])
        yield* at(page, async () => {
          await node(page, "silent").click()
          await page.getByRole("textbox", { name: "Outcome" }).fill("nothing")
          await dragged(page, await middle(node(page, "nothing")), await middle(page.locator(".react-flow__controls")))
          await saved(page)
          await node(page, "nothing").focus()
          await page.keyboard.press("Delete")
          await count(page, nodes, 3)
          await count(page, edges, 2)
          await page.locator(edges).first().focus()
          await page.keyboard.press("Enter")
          await page.locator(".ways li.picked").waitFor()
          await page.keyboard.press("Delete")
          await count(page, edges, 1)
          await saved(page)
        })
        expect(yield* stored).toMatchObject({
          nodes: [{ id: 'say "hi"' }, { id: "C:\\d%22]" }, { id: "+outcome" }],
          edges: [{ to: "+outcome" }]
        })
      }),
    60_000
  )

  it(
    "leads on from an answer as it is written, where there are more than can be drawn",
    () =>
      Effect.gen(function* () {
        const { page, send } = yield* signedIn("flows")
        const options = ["two  spaces", ...Array.from({ length: 12 }, (_, n) => String(n))]
        const ask = { type: "choice", question: "Which?", options }
        const definition = { schema: 1, nodes: [{ id: "a", kind: "ask", label: "Many", ask, x: 0, y: 0 }], edges: [] }
        const { id } = (yield* send("POST", "/flows", { slug: "many", content: { name: "Many", definition } })).body
        yield* visit(page, `flows/${id}`)
        yield* at(page, async () => {
          await node(page, "Many").click()
          await page.getByRole("combobox", { name: "Add a way for an answer" }).selectOption({ label: "two spaces" })
          await count(page, edges, 1)
          await saved(page)
        })
        const { edges: ways } = (yield* send("GET", `/flows/${id}`)).body.draft.definition
        expect(ways).toMatchObject([{ when: { option: "two  spaces" } }])
      }),
    60_000
  )

  it(
    "draws each of several with one id, and saves them under ids of their own",
    () =>
      Effect.gen(function* () {
        const { page, send } = yield* signedIn("flows")
        const ask = { template: "spam" }
        const definition = {
          schema: 1,
          start: "late",
          nodes: [
            { id: "late", kind: "ask", label: "Late?", ask, x: 0, y: 0 },
            { id: "late", kind: "end", outcome: "done", x: 500, y: 0 }
          ],
          edges: []
        }
        const { id } = (yield* send("POST", "/flows", { slug: "twice", content: { name: "Twice", definition } })).body
        yield* visit(page, `flows/${id}`)
        yield* at(page, async () => {
          await count(page, nodes, 2)
          await page.locator(".fault-list").getByText("is used twice").waitFor({ state: "detached" })
          await draw(page, "Late?", "yes", "done")
          await count(page, edges, 1)
          await saved(page)
          await node(page, "done").click()
          await page.keyboard.press("Delete")
          await count(page, nodes, 1)
          await saved(page)
          await page.reload()
          await count(page, nodes, 1)
        })
      }),
    60_000
  )

  it(
    "keeps a question or an outcome when the way that had its id is removed",
    () =>
      Effect.gen(function* () {
        const { page, send } = yield* signedIn("flows")
        const definition = {
          schema: 1,
          nodes: [
            { id: "late", kind: "ask", label: "Late?", ask: { template: "spam" } },
            { id: "end", kind: "end", outcome: "done" }
          ],
          edges: [{ id: "end", from: "late", to: "end", when: { otherwise: true } }]
        }
        const { id } = (yield* send("POST", "/flows", { slug: "alike", content: { name: "Alike", definition } })).body
        yield* visit(page, `flows/${id}`)
        yield* at(page, async () => {
          await page.locator(edges).focus()
          await page.keyboard.press("Enter")
          await page.locator(".ways li.picked").waitFor()
          await page.keyboard.press("Delete")
          await count(page, edges, 0)
          await count(page, nodes, 2)
          await saved(page)
        })
        expect((yield* send("GET", `/flows/${id}`)).body.draft.definition).toMatchObject({
          nodes: [{ id: "late" }, { id: "end" }],
          edges: []
        })
      }),
    60_000
  )
})
