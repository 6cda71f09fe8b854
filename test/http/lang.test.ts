import { expect } from "bun:test"
import { Effect } from "effect"
import { content, definition, published } from "#test/flows/scene"
import { recording } from "#test/support/answering"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"

const { asked, inference } = recording()

const set = { model: "svc-auto", questions: { q: { type: "noul", instructions: "Is it spam?" } } }

const bodies = {
  "/v1/decide": (text: string, lang?: string) => ({ text, template: "spam", lang }),
  "/v1/decide/batch": (text: string, lang?: string) => ({ texts: [text], template: "spam", lang }),
  "/v1/systemone": (text: string, lang?: string) => ({ ...set, state: text, lang }),
  "/v1/systemone/batch": (text: string, lang?: string) => ({ requests: [{ ...set, state: text, lang }] }),
  "/v1/flows/front-door/run": (text: string, lang?: string) => ({ text, lang })
}

const english = "The parcel has not arrived, and nobody answers the phone."
const german = "Das Paket ist nicht angekommen, und niemand geht ans Telefon."

withLayer(testApp({ inference }))("A language hint chooses the model, in place of the text", (it) => {
  /** The models that answer a request. */
  const models = Effect.fn(function* (path: keyof typeof bodies, text: string, lang?: string, hintOfNodes?: string) {
    const app = yield* TestApp
    const { key, accountId } = yield* app.customer()
    if (path === "/v1/flows/front-door/run") {
      const nodes = definition.nodes.map((node) =>
        node.kind === "ask" && hintOfNodes !== undefined ? { ...node, ask: { ...node.ask, lang: hintOfNodes } } : node
      )
      yield* published(accountId, "front-door", { ...content, definition: { ...definition, nodes } })
    }
    const before = asked.length
    const { status } = yield* app.send("POST", path, { key, body: bodies[path](text, lang) })
    expect(status).toBe(200)
    return [...new Set(asked.slice(before).map(({ model }) => model.manifest.name))]
  })

  for (const path of [
    "/v1/decide",
    "/v1/decide/batch",
    "/v1/systemone",
    "/v1/systemone/batch",
    "/v1/flows/front-door/run"
  ] as const)
    it(`at ${path}`, () =>
      Effect.gen(function* () {
        expect(yield* models(path, english)).toEqual(["svc-english"])
        expect(yield* models(path, english, "de")).toEqual(["svc-multilingual"])
        expect(yield* models(path, german)).toEqual(["svc-multilingual"])
        expect(yield* models(path, german, "en")).toEqual(["svc-english"])
        expect(yield* models(path, "ok", "en")).toEqual(["svc-english"])
        expect(yield* models(path, english, "")).toEqual(["svc-english"])
      }))

  it("and that of a flow's run goes before those of its questions", () =>
    Effect.gen(function* () {
      const path = "/v1/flows/front-door/run"
      expect(yield* models(path, english, undefined, "de")).toEqual(["svc-multilingual"])
      expect(yield* models(path, english, "de", "en")).toEqual(["svc-multilingual"])
      expect(yield* models(path, german, "en", "de")).toEqual(["svc-english"])
    }))
})
