import { expect } from "bun:test"
import { FileSystem } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Effect, Layer, Redacted } from "effect"
import { InternalClient } from "#schema/InternalClient"
import type { Model } from "#schema/Model"
import { Inference } from "#src/inference/Inference"
import { readBundle } from "#src/models/Bundle"
import { Settings } from "#src/Settings"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"
import { internalService } from "#test/support/internal"
import { modelsFolder, placeHub, placeTiny } from "#test/support/models"

const token = "0123456789abcdef0123456789abcdef"

/** A service with a models folder of its own, and a worker that has seen none of the models to come. */
const options = Effect.gen(function* () {
  const modelsDir = yield* modelsFolder([{ name: "svc-english" }, { name: "reviews" }])
  const english = yield* readBundle(`${modelsDir}/svc-english`)
  return {
    settings: { modelsDir, internalTokens: [{ name: "test", token: Redacted.make(token) }] },
    inference: Inference.layer({ models: [english], workers: 1, queueLimit: 100, deadline: "10 seconds" })
  }
}).pipe(Effect.provide(BunContext.layer))

/** Without workers: every model answers alike, and gets through its trial. */
const inProcess = Layer.unwrapScoped(Effect.map(options, ({ settings }) => internalService({ settings })))

const overHttp = Layer.unwrapEffect(
  Effect.map(TestApp, ({ base }) => InternalClient.layer({ url: `${base}/rpc`, token: Redacted.make(token) }))
).pipe(Layer.provideMerge(Layer.unwrapScoped(Effect.map(options, testApp))))

const decide = (key: string, model: string) =>
  Effect.flatMap(TestApp, ({ send }) =>
    send("POST", "/v1/decide", { key, body: { type: "yes_no", question: "is it red?", text: "a rose", model } })
  )

const listed = (key: string) =>
  Effect.map(
    Effect.flatMap(TestApp, ({ send }) => send("GET", "/v1/models", { key })),
    ({ body }): ReadonlyArray<Model> => body.models
  )
const names = (key: string) => Effect.map(listed(key), (models) => models.map(({ name }) => name))

const unknown = {
  detail: [{ loc: ["body", "model"], msg: expect.stringContaining("Unknown model"), type: "value_error" }]
}

for (const [name, layer] of [
  ["in this process", inProcess],
  ["over HTTP", overHttp]
] as const) {
  withLayer(layer)(`A model registered ${name}`, (it) => {
    it(
      "is there at once, for its account alone, and gone at once",
      () =>
        Effect.gen(function* () {
          const client = yield* InternalClient
          const app = yield* TestApp
          const { modelsDir } = yield* Settings
          const mine = yield* app.customer()
          const other = yield* app.customer()
          const owned = { account: mine.accountId, name: "invoices" }
          yield* placeTiny(modelsDir, { name: "invoices", checkpoint: "invoices-7", description: "Reads invoices." })
          expect((yield* decide(mine.key, "invoices")).body).toMatchObject(unknown)

          const registered = yield* client.RegisterModel(owned)
          expect(registered).toMatchObject({ ...owned, description: "Reads invoices." })
          expect(registered.checksum).toMatch(/^[0-9a-f]{64}$/)
          expect(yield* client.RegisterModel(owned)).toEqual(registered)
          expect(yield* client.ListRegisteredModels()).toEqual([registered])

          expect(yield* listed(mine.key)).toContainEqual({
            name: "invoices",
            description: "Reads invoices.",
            release_date: registered.release_date,
            custom: true,
            private: true
          })
          expect(yield* names(other.key)).toEqual(["svc-auto", "reviews", "svc-english"])
          expect((yield* client.ListModels({ account: mine.accountId })).map((model) => model.name)).toContain(
            "invoices"
          )
          const answered = yield* decide(mine.key, "invoices")
          expect([answered.status, answered.body.model]).toEqual([200, "invoices"])
          expect(Object.values<number>(answered.body.probabilities).reduce((a, b) => a + b)).toBeCloseTo(1, 4)

          const refused = yield* decide(other.key, "invoices")
          expect([refused.status, refused.body]).toEqual([422, expect.objectContaining(unknown)])
          const never = yield* decide(other.key, "never-there")
          expect(refused.body).toEqual(never.body)
          for (const path of ["/v1/decide/batch", "/v1/systemone"]) {
            const body = path.endsWith("batch")
              ? { texts: ["a"], template: "spam", model: "invoices" }
              : { state: "a", model: "invoices", questions: { q: { type: "noul", instructions: "Is it?" } } }
            expect((yield* app.send("POST", path, { key: mine.key, body })).status).toBe(200)
            const theirs = yield* app.send("POST", path, { key: other.key, body })
            expect([path, theirs.status, theirs.body.detail]).toEqual([path, 422, refused.body.detail])
          }

          for (const account of [other.accountId, null]) {
            expect((yield* Effect.flip(client.RegisterModel({ ...owned, account })))._tag).toBe("ModelTaken")
            expect((yield* Effect.flip(client.RemoveModel({ ...owned, account })))._tag).toBe("ModelNotFound")
          }
          expect((yield* client.RemoveModel(owned)).name).toBe("invoices")
          expect((yield* decide(mine.key, "invoices")).body).toMatchObject(unknown)
          expect(yield* names(mine.key)).not.toContain("invoices")
          expect((yield* Effect.flip(client.RemoveModel(owned)))._tag).toBe("ModelNotFound")

          yield* client.RegisterModel({ ...owned, account: null })
          const [, forAll] = yield* listed(other.key)
          expect(forAll).toMatchObject({ name: "invoices", custom: true, private: false })
          expect((yield* decide(other.key, "invoices")).status).toBe(200)
        }),
      60_000
    )

    it(
      "is its account's alone even if its folder was there at the start, and nobody's once removed",
      () =>
        Effect.gen(function* () {
          const client = yield* InternalClient
          const app = yield* TestApp
          const mine = yield* app.customer()
          const other = yield* app.customer()
          const owned = { account: mine.accountId, name: "reviews" }
          expect((yield* decide(other.key, "reviews")).status).toBe(200)
          yield* client.RegisterModel(owned)
          expect((yield* decide(mine.key, "reviews")).status).toBe(200)
          expect((yield* decide(other.key, "reviews")).body).toMatchObject(unknown)
          expect(yield* names(other.key)).not.toContain("reviews")
          yield* client.RemoveModel(owned)
          for (const { key } of [mine, other]) {
            expect((yield* decide(key, "reviews")).body).toMatchObject(unknown)
            expect(yield* names(key)).not.toContain("reviews")
          }
        }),
      60_000
    )
  })
}

withLayer(overHttp)("A model", (it) => {
  it(
    "may come from a hub, and answers with the new weights after it was replaced",
    () =>
      Effect.gen(function* () {
        const client = yield* InternalClient
        const app = yield* TestApp
        const fs = yield* FileSystem.FileSystem
        const { modelsDir } = yield* Settings
        const { key, accountId: account } = yield* app.customer()
        const directory = yield* placeHub(modelsDir, "bert-nli")
        const first = yield* client.RegisterModel({ account, name: "bert-nli" })
        const before = yield* decide(key, "bert-nli")
        expect(before.status).toBe(200)

        const config = JSON.parse(yield* fs.readFileString(`${directory}/config.json`))
        const id2label = { 0: "contradiction", 1: "neutral", 2: "entailment" }
        yield* fs.writeFileString(`${directory}/config.json`, JSON.stringify({ ...config, id2label }))
        expect((yield* Effect.flip(client.RegisterModel({ account, name: "bert-nli" })))._tag).toBe("ModelTaken")
        yield* client.RemoveModel({ account, name: "bert-nli" })
        const second = yield* client.RegisterModel({ account, name: "bert-nli" })
        expect(second.checksum).not.toBe(first.checksum)
        const after = yield* decide(key, "bert-nli")
        expect([after.status, after.body.probability === before.body.probability]).toEqual([200, false])
      }),
    60_000
  )

  it(
    "answers 503 where its folder does not hold what was registered",
    () =>
      Effect.gen(function* () {
        const client = yield* InternalClient
        const app = yield* TestApp
        const fs = yield* FileSystem.FileSystem
        const { modelsDir } = yield* Settings
        const { key, accountId: account } = yield* app.customer()
        yield* placeTiny(modelsDir, { name: "elsewhere" })
        yield* client.RegisterModel({ account, name: "elsewhere" })
        yield* fs.remove(`${modelsDir}/elsewhere`, { recursive: true })
        expect((yield* decide(key, "elsewhere")).status).toBe(503)
        expect(yield* names(key)).toContain("elsewhere")

        const hub = `${modelsDir}/unreadable`
        yield* fs.rename(yield* placeHub(modelsDir, "roberta-nli"), hub)
        yield* client.RegisterModel({ account, name: "unreadable" })
        // No file to read, like one of another user, but for a test of the superuser too.
        yield* fs.remove(`${hub}/tokenizer.json`)
        yield* fs.makeDirectory(`${hub}/tokenizer.json`)
        expect((yield* decide(key, "unreadable")).status).toBe(503)
        yield* client.RemoveModel({ account, name: "unreadable" })
        expect(yield* Effect.flip(client.RegisterModel({ account, name: "unreadable" }))).toMatchObject({
          _tag: "ModelInvalid",
          message: expect.stringContaining("tokenizer.json cannot be read; check its owner and permissions")
        })
      }),
    60_000
  )

  it(
    "is refused, with what to change, where it would not answer",
    () =>
      Effect.gen(function* () {
        const client = yield* InternalClient
        const app = yield* TestApp
        const fs = yield* FileSystem.FileSystem
        const { modelsDir } = yield* Settings
        const { accountId: account } = yield* app.customer()
        const refusal = (model: string) =>
          Effect.map(Effect.flip(client.RegisterModel({ account, name: model })), (error) => [
            error._tag,
            "message" in error ? error.message : ""
          ])
        const saying = (words: string) => ["ModelInvalid", expect.stringContaining(words)]

        expect((yield* Effect.flip(client.RegisterModel({ account: "acc_nobody", name: "x" })))._tag).toBe(
          "AccountNotFound"
        )
        for (const bad of ["", "../svc-english", "svc-mine", "a/b", ".hidden", "mine-latest", "a".repeat(101)])
          expect(yield* refusal(bad)).toEqual(saying("A model's name begins with"))
        expect(yield* refusal("nowhere")).toEqual(saying("config.json"))

        yield* placeTiny(modelsDir, { name: "misnamed", folder: "named" })
        expect(yield* refusal("named")).toEqual(saying("name the folder like the model"))
        yield* placeTiny(modelsDir, { name: "owned", owner: "acc_other" })
        expect(yield* refusal("owned")).toEqual(
          saying(
            `acc_other owns the model; register it for the account with that id, or write ${account}, the id of this one, into the manifest`
          )
        )
        expect(yield* Effect.flip(client.RegisterModel({ account: null, name: "owned" }))).toMatchObject({
          message: expect.stringContaining('take "owner" out of the manifest')
        })
        yield* placeTiny(modelsDir, { name: "outside", graph: "../svc-english/model.onnx" })
        expect(yield* refusal("outside")).toEqual(saying("should be a path inside the model's folder"))
        yield* placeTiny(modelsDir, { name: "unlisted", files: {} })
        expect(yield* refusal("unlisted")).toEqual(saying("does not list model.onnx among its files"))
        const cut = yield* placeTiny(modelsDir, { name: "cut" })
        yield* fs.writeFileString(`${cut}/model.onnx`, "cut")
        expect(yield* refusal("cut")).toEqual(saying("has 3 bytes"))

        const noGraph = yield* placeHub(modelsDir, "roberta-nli")
        const roberta = yield* fs.readFile(`${noGraph}/onnx/model.onnx`)
        yield* fs.writeFileString(`${noGraph}/onnx/model.onnx`, "not a graph")
        expect(yield* refusal("roberta-nli")).toEqual(saying("The model does not answer: "))
        expect(yield* refusal("roberta-nli")).toEqual(
          saying("Take its folder out of MODELS_DIR: a restart takes it in untried, for every account.")
        )

        const foreign = yield* placeTiny(modelsDir, { name: "foreign" })
        yield* client.RegisterModel({ account, name: "foreign" })
        yield* client.RemoveModel({ account, name: "foreign" })
        yield* fs.writeFile(`${foreign}/model.onnx`, roberta)
        const manifest = JSON.parse(yield* fs.readFileString(`${foreign}/manifest.json`))
        const sha256 = new Bun.CryptoHasher("sha256").update(roberta).digest("hex")
        const files = { ...manifest.files, "model.onnx": { bytes: roberta.length, sha256 } }
        yield* fs.writeFileString(`${foreign}/manifest.json`, JSON.stringify({ ...manifest, files }))
        expect(yield* refusal("foreign")).toEqual(saying("The model does not answer: "))
        // A restart takes in nothing that was ever registered.
        expect(yield* refusal("foreign")).not.toEqual(saying("MODELS_DIR"))
        expect((yield* client.ListRegisteredModels()).map((model) => model.name)).not.toContain("foreign")
      }),
    60_000
  )
})

const withoutBuiltIn = Layer.unwrapScoped(
  Effect.map(modelsFolder([{ name: "reviews" }]), (modelsDir) => internalService({ settings: { modelsDir } }))
)

withLayer(withoutBuiltIn)("A service without built-in models", (it) => {
  it(
    "answers svc-auto and moderates with a model that is everybody's, for as long as it is",
    () =>
      Effect.gen(function* () {
        const client = yield* InternalClient
        const app = yield* TestApp
        const mine = yield* app.customer()
        const other = yield* app.customer()
        const statuses = (key: string) =>
          Effect.all([
            Effect.map(decide(key, "svc-auto"), ({ status }) => status),
            Effect.map(app.send("POST", "/v1/moderations", { key, body: { input: "x" } }), ({ status }) => status)
          ])
        expect(yield* statuses(other.key)).toEqual([200, 200])
        const owned = { account: mine.accountId, name: "reviews" }
        yield* client.RegisterModel(owned)
        for (const { key } of [mine, other]) expect(yield* statuses(key)).toEqual([503, 503])
        expect(yield* names(other.key)).toEqual([])
        expect(yield* names(mine.key)).toEqual(["reviews"])
        expect((yield* app.balance(other.accountId)).balance).toBe((1_000 - 9) * 15)
        yield* client.RemoveModel(owned)
        expect(yield* statuses(other.key)).toEqual([503, 503])
        yield* client.RegisterModel({ ...owned, account: null })
        expect(yield* statuses(other.key)).toEqual([200, 200])
      }),
    60_000
  )
})
