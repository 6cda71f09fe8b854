import { describe, expect } from "bun:test"
import { FileSystem } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Deferred, Effect, Fiber, Layer, Option } from "effect"
import { Language } from "#src/language/Language"
import { readBundle } from "#src/models/Bundle"
import { Models } from "#src/models/Models"
import { ModelsRepo } from "#src/models/ModelsRepo"
import { Settings } from "#src/Settings"
import { settings } from "../support/app.ts"
import { effect, live } from "../support/effect.ts"
import { modelsFolder, placeTiny } from "../support/models.ts"
import { stub } from "../support/stub.ts"

/** Certain of English where a text says so. */
const language = Layer.succeed(
  Language,
  Language.of({
    name: "test",
    languages: [],
    probabilities: () => Effect.succeed([]),
    probabilityOf: (code, text) =>
      Effect.succeed(
        code === "en" && text.includes("English") ? 0.99 : /deutsch|^\P{L}*$|PII|返金/u.test(text) ? 0.001 : 0.3
      )
  })
)

const withModels = <A, E>(
  models: ReadonlyArray<Record<string, unknown>>,
  body: (service: typeof Models.Service) => Effect.Effect<A, E>,
  repo = ModelsRepo.layerEmpty
) =>
  Effect.gen(function* () {
    const modelsDir = yield* modelsFolder(models)
    const layer = Models.layerNoDeps.pipe(
      Layer.provide([language, repo, Layer.succeed(Settings, { ...settings, modelsDir })])
    )
    return yield* Effect.flatMap(Models, body).pipe(Effect.provide(layer))
  }).pipe(Effect.provide(BunContext.layer))

const builtIn = [{ name: "svc-english" }, { name: "svc-multilingual" }]
const resolved = (service: typeof Models.Service, name: string, state: string, lang?: string) =>
  Effect.map(
    service.resolve("acc_1", name, lang === undefined ? { state } : { state, lang }),
    ({ manifest }) => manifest.name
  )

describe("Models", () => {
  live("svc-auto and aliases read English with one model and all else, or what is unsure, with the other", () =>
    withModels(builtIn, (service) =>
      Effect.gen(function* () {
        expect(yield* resolved(service, "svc-auto", "English text")).toBe("svc-english")
        expect(yield* resolved(service, "jev-latest", "English text")).toBe("svc-english")
        expect(yield* resolved(service, "svc-auto", "ok")).toBe("svc-multilingual")
        expect(yield* resolved(service, "svc-auto", "English text", "de")).toBe("svc-multilingual")
        expect(yield* resolved(service, "svc-auto", "ok", "en-GB")).toBe("svc-english")
        expect(yield* resolved(service, "svc-auto", "ok", "en_US")).toBe("svc-english")
        expect(yield* resolved(service, "svc-auto", "English text", "")).toBe("svc-english")
        expect(yield* resolved(service, "svc-english", "ok")).toBe("svc-english")
        const asked = (wording: string) =>
          Effect.map(
            service.resolve("acc_1", "svc-auto", { state: "English text", questions: [{ wording, options: [] }] }),
            ({ manifest }) => manifest.name
          )
        expect(yield* asked("Ist das deutsch?")).toBe("svc-multilingual")
        expect(yield* asked("返金?")).toBe("svc-multilingual")
        expect(yield* asked("Refund?")).toBe("svc-english")
        expect(yield* asked("PII?")).toBe("svc-english")
        expect(yield* asked("")).toBe("svc-english")
        expect(yield* asked("1-5?")).toBe("svc-english")
        const offered = (...options: ReadonlyArray<string>) =>
          Effect.map(
            service.resolve("acc_1", "svc-auto", {
              state: "English text",
              questions: [{ wording: "Which?", options }]
            }),
            ({ manifest }) => manifest.name
          )
        expect(yield* offered("refund", "invoice")).toBe("svc-english")
        expect(yield* offered("α", "β")).toBe("svc-english")
        expect(yield* offered("退款", "发票")).toBe("svc-multilingual")
        expect(yield* offered("возврат", "счёт")).toBe("svc-multilingual")
        expect(yield* offered("auf deutsch", "nicht")).toBe("svc-multilingual")
        expect(yield* offered("👍", "👎")).toBe("svc-multilingual")
        expect(yield* resolved(service, "svc-auto", "English text about the word Москва")).toBe("svc-multilingual")
        expect(yield* resolved(service, "svc-auto", `${"English text ".repeat(9)}about the word Москва`)).toBe(
          "svc-english"
        )
      })
    )
  )

  live("a private model is listed for its account alone and unknown to others", () =>
    withModels([...builtIn, { name: "invoices", owner: "acc_2" }, { name: "public" }], (service) =>
      Effect.gen(function* () {
        const names = (account: string) => Effect.map(service.list(account), (list) => list.map(({ name }) => name))
        expect(yield* names("acc_1")).toEqual(["svc-auto", "public", "svc-english", "svc-multilingual"])
        expect(yield* names("acc_2")).toEqual(["svc-auto", "invoices", "public", "svc-english", "svc-multilingual"])
        const [, invoices] = yield* service.list("acc_2")
        expect([invoices?.custom, invoices?.private]).toEqual([true, true])
        expect((yield* Effect.flip(service.resolve("acc_1", "invoices", { state: "" })))._tag).toBe("ModelNotFound")
        expect((yield* service.resolve("acc_2", "invoices", { state: "" })).manifest.name).toBe("invoices")
        expect((yield* Effect.flip(service.resolve("acc_1", "../svc-english", { state: "" })))._tag).toBe(
          "ModelNotFound"
        )
      })
    )
  )

  live("svc-auto never falls back on a model that is private", () =>
    withModels([{ name: "invoices", owner: "acc_2" }, { name: "public" }], (service) =>
      Effect.gen(function* () {
        expect(yield* resolved(service, "svc-auto", "English text")).toBe("public")
        const [auto] = yield* service.list("acc_1")
        expect(auto).toMatchObject({
          name: "svc-auto",
          description: "public for all texts.",
          custom: false,
          private: false
        })
      })
    )
  )

  live(
    "svc-auto falls back on no model that the database gives to one account, nor on one that was changed since",
    () => {
      const given = (rows: Readonly<Record<string, { readonly visible: boolean; readonly checksum: string }>>) =>
        stub(ModelsRepo)({
          find: (account, name) => Effect.succeed(account === "" ? Option.fromNullable(rows[name]) : Option.none()),
          list: () => Effect.succeed([])
        })
      const folders = [{ name: "invoices" }, { name: "letters" }, { name: "svc-multilingual", owner: "acc_2" }]
      const mine = { visible: false, checksum: "" }
      return Effect.gen(function* () {
        yield* withModels(
          folders,
          (service) => Effect.map(resolved(service, "svc-auto", "ok"), (name) => expect(name).toBe("letters")),
          given({ invoices: mine })
        )
        yield* withModels(
          folders,
          (service) =>
            Effect.gen(function* () {
              expect((yield* Effect.flip(resolved(service, "svc-auto", "ok")))._tag).toBe("Unavailable")
              expect((yield* Effect.flip(service.route({ state: "ok" })))._tag).toBe("Unavailable")
              expect((yield* service.list("acc_1")).map(({ name }) => name)).not.toContain("svc-auto")
            }),
          given({ invoices: mine, letters: { visible: true, checksum: "of other files" } })
        )
      })
    }
  )

  live("a worker holds the built-in models and those of the start that the database never knew", () =>
    withModels(
      [...builtIn, { name: "invoices" }, { name: "letters", owner: "acc_2" }, { name: "removed" }, { name: "reviews" }],
      ({ all, kept }) =>
        Effect.sync(() => {
          expect(all).toHaveLength(6)
          expect(kept.map(({ manifest }) => manifest.name)).toEqual([
            "letters",
            "reviews",
            "svc-english",
            "svc-multilingual"
          ])
        }),
      stub(ModelsRepo)({
        find: (_, name) =>
          Effect.succeed(
            ["invoices", "removed"].includes(name) ? Option.some({ visible: false, checksum: "" }) : Option.none()
          )
      })
    )
  )

  live("svc-auto falls back on a built-in model rather than on one that may be registered for an account", () =>
    withModels([{ name: "invoices" }, { name: "svc-english" }], (service) =>
      Effect.gen(function* () {
        expect(yield* resolved(service, "svc-auto", "ok")).toBe("svc-english")
        const [auto] = yield* service.list("acc_1")
        expect(auto?.description).toBe("svc-english for all texts.")
      })
    )
  )

  live("a folder whose name is an alias of svc-auto could never answer, and is refused", () =>
    Effect.gen(function* () {
      for (const name of ["mine-latest", "svc-auto"])
        expect(String(yield* Effect.flip(withModels([...builtIn, { name }], () => Effect.void)))).toContain(
          `${name} is a name of the service's own`
        )
    })
  )

  live("a folder that is not named like its model, and a folder without models, are refused with what to change", () =>
    Effect.gen(function* () {
      const misnamed = yield* Effect.flip(withModels([{ name: "svc-english", folder: "english" }], () => Effect.void))
      expect(String(misnamed)).toContain("name the folder like the model")
      const empty = yield* Effect.flip(withModels([], () => Effect.void))
      expect(String(empty)).toContain("holds no model")
      const closed = yield* Effect.flip(withModels([{ name: "invoices", owner: "acc_2" }], () => Effect.void))
      expect(String(closed)).toContain("holds no model for every account")
    })
  )
})

effect("A look at a registered model's folder goes on for those who wait for it when the first to name it leaves", () =>
  Effect.gen(function* () {
    const modelsDir = yield* modelsFolder([{ name: "svc-english" }])
    const fs = yield* FileSystem.FileSystem
    const begun = yield* Deferred.make<void>()
    const go = yield* Deferred.make<void>()
    const slow = FileSystem.make({
      ...fs,
      stat: (path) =>
        path.includes("/late/")
          ? Effect.zipRight(Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(go)), fs.stat(path))
          : fs.stat(path)
    })
    const bundle = yield* Effect.flatMap(placeTiny(yield* modelsFolder([]), { name: "late" }), readBundle)
    const registered = stub(ModelsRepo)({
      find: () => Effect.succeedSome({ visible: true, checksum: bundle.checksum })
    })
    yield* Effect.gen(function* () {
      const { resolve } = yield* Models
      yield* placeTiny(modelsDir, { name: "late" })
      const first = yield* Effect.fork(resolve("acc_1", "late", { state: "" }))
      yield* Deferred.await(begun)
      const second = yield* Effect.fork(resolve("acc_1", "late", { state: "" }))
      yield* Fiber.interruptFork(first)
      yield* Effect.yieldNow()
      yield* Deferred.succeed(go, undefined)
      expect((yield* Fiber.join(second)).checksum).toBe(bundle.checksum)
    }).pipe(
      Effect.provide(
        Models.layerNoDeps.pipe(
          Layer.provide([language, registered, Layer.succeed(Settings, { ...settings, modelsDir })]),
          Layer.provide(Layer.succeed(FileSystem.FileSystem, slow))
        )
      )
    )
  }).pipe(Effect.provide(BunContext.layer))
)

describe("readBundle", () => {
  const refusal = (change: Record<string, unknown>, spoil?: (directory: string) => Promise<unknown>) =>
    Effect.gen(function* () {
      const directory = `${yield* modelsFolder([{ name: "svc-english", ...change }])}/svc-english`
      if (spoil !== undefined) yield* Effect.promise(() => spoil(directory))
      const error = yield* Effect.flip(readBundle(directory))
      return error.message
    }).pipe(Effect.provide(BunContext.layer))

  live("names the file that is missing, cut or changed, and the field of a manifest that is wrong", () =>
    Effect.gen(function* () {
      const file = (directory: string) => Bun.file(`${directory}/model.onnx`)
      expect(yield* refusal({}, (directory) => file(directory).delete())).toContain("model.onnx is missing")
      expect(yield* refusal({}, (directory) => file(directory).write("cut"))).toContain("has 3 bytes")
      const flip = async (directory: string) => {
        const bytes = await file(directory).bytes()
        bytes[100] = (bytes[100] ?? 0) ^ 1
        await file(directory).write(bytes)
      }
      expect(yield* refusal({}, flip)).toContain("SHA-256")
      expect(yield* refusal({ temperatures: 1 })).toContain('["temperatures"]')
      expect(yield* refusal({ family: "unheard-of" })).toContain('"unheard-of"')
    })
  )
})
