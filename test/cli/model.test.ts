import { expect } from "bun:test"
import { Effect, Layer, Redacted } from "effect"
import { Settings } from "#src/Settings"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"
import { modelHub } from "#test/support/hub"
import { modelsFolder } from "#test/support/models"
import { svc, svcTerminal } from "#test/support/svc"

const token = "0123456789abcdef0123456789abcdef"

const app = Layer.unwrapScoped(
  Effect.map(modelsFolder([{ name: "svc-english" }]), (modelsDir) =>
    testApp({ settings: { modelsDir, internalTokens: [{ name: "test", token: Redacted.make(token) }] } })
  )
)

const bytes = (name: string) =>
  Effect.promise(() => Bun.file(new URL(`../fixtures/models/bert-nli/${name}`, import.meta.url)).bytes())

withLayer(app)("svc model", (it) => {
  it(
    "brings a model from a hub, goes on where the connection broke, and takes it into and out of service",
    () =>
      Effect.gen(function* () {
        const { base, customer } = yield* TestApp
        const { modelsDir } = yield* Settings
        const { accountId, key } = yield* customer()
        const graph = yield* bytes("onnx/model.onnx")
        const files = {
          "config.json": yield* bytes("config.json"),
          "tokenizer.json": yield* bytes("tokenizer.json"),
          "onnx/model.onnx": graph
        }
        const hub = yield* modelHub({ files, large: ["onnx/model.onnx"], breaks: { "onnx/model.onnx": [20_000] } })
        const env = { HUB_URL: hub.base, MODELS_DIR: modelsDir, SVC_TOKEN: "" }

        const fetched = yield* svcTerminal(["model", "fetch", "owner/model", "--name", "letters"], env)
        expect(fetched.code).toBe(0)
        expect(fetched.out).toContain("owner/model at 01234567: 3 files, 0.1 MB")
        const drawn = fetched.out.split("\r").filter((line) => /^[█░]{30} /.test(line))
        expect(drawn.length).toBeGreaterThan(2)
        expect(drawn.at(-1)).toContain("█".repeat(30))
        expect(hub.asked.map(({ range }) => range).filter(Boolean)).toEqual(["bytes=20000-"])

        const service = { SVC_URL: `${base}/rpc`, SVC_TOKEN: token }
        const run = (...args: ReadonlyArray<string>) => svc(["model", ...args], service)
        const added = yield* run("add", "--account", accountId, "--json", "letters")
        expect(added.code).toBe(0)
        expect(JSON.parse(added.out)).toMatchObject({ name: "letters", account: accountId })
        const mine = yield* run("list", "--account", accountId)
        expect(mine.out).toMatch(/^letters +2026-10-01 +true +true/m)
        expect((yield* run("list")).out).toContain("letters")
        const { send } = yield* TestApp
        const body = { template: "spam", text: "a", model: "letters" }
        expect((yield* send("POST", "/v1/decide", { key, body })).status).toBe(200)
        expect((yield* run("remove", "--account", accountId, "letters")).code).toBe(0)
        expect((yield* send("POST", "/v1/decide", { key, body })).status).toBe(422)
      }),
    120_000
  )

  it(
    "says what is wrong: 1 where it failed, 2 where it is not understood",
    () =>
      Effect.gen(function* () {
        const { base } = yield* TestApp
        const { modelsDir } = yield* Settings
        const hub = yield* modelHub({ files: {} })
        const fetch = (...args: ReadonlyArray<string>) =>
          svc(["model", "fetch", ...args], { HUB_URL: hub.base, MODELS_DIR: modelsDir })
        const missing = yield* fetch("owner/other")
        expect([missing.code, missing.out]).toEqual([1, ""])
        expect(missing.err).toContain("is not there (HTTP 404); check the name.")
        const service = { SVC_URL: `${base}/rpc`, SVC_TOKEN: token }
        const unknown = yield* svc(["model", "add", "--public", "nowhere"], service)
        expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining("nowhere/config.json")])
        const unclear = yield* svc(["model", "add", "nowhere"], service)
        expect([unclear.code, unclear.err]).toEqual([2, expect.stringContaining("Give --account or --public")])
      }),
    60_000
  )
})
