import { describe, expect } from "bun:test"
import { FetchHttpClient, FileSystem, type Path } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Effect, Either, Layer, Option, Redacted, type Scope } from "effect"
import { fetchModel, wanted } from "#src/hub/Fetch"
import { addressOf, Hub } from "#src/hub/Hub"
import { readBundle } from "#src/models/Bundle"
import { live } from "#test/support/effect"
import { type HubPlan, modelHub } from "#test/support/hub"

const graph = "onnx/model_quantized.onnx"
const fixture = new URL("../fixtures/models/bert-nli/", import.meta.url)
const bytes = (name: string) => Bun.file(new URL(name, fixture)).bytes()
const files = {
  "config.json": await bytes("config.json"),
  "tokenizer.json": await bytes("tokenizer.json"),
  [graph]: await bytes("onnx/model.onnx"),
  "README.md": new TextEncoder().encode("# A model\n"),
  "onnx/model.onnx": new Uint8Array(1_000_000),
  "pytorch_model.bin": new Uint8Array(10)
}
const all = files["config.json"].length + files["tokenizer.json"].length + files[graph].length + 10
const plan: HubPlan = { files, large: [graph] }

/** A fresh models folder, and how to bring `owner/model` of a hub into it; answers how many bytes came. */
const scene = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const modelsDir = yield* fs.makeTempDirectoryScoped()
  const bring = (
    base: string,
    options: { readonly name?: string; readonly token?: string; readonly graph?: string; readonly hub?: string } = {}
  ) =>
    Effect.gen(function* () {
      const { model } = yield* Hub
      const found = yield* model(yield* addressOf("owner/model", base, "main"))
      const count = { came: 0, had: 0 }
      const bundle = yield* fetchModel(found, yield* wanted(found, options.graph), {
        modelsDir,
        name: options.name ?? "model",
        had: (more) =>
          Effect.sync(() => {
            count.had += more
          }),
        came: (more) =>
          Effect.sync(() => {
            count.came += more
          }),
        pause: "5 millis"
      })
      return { ...bundle, ...count }
    }).pipe(
      Effect.provide(
        Hub.layer({
          hub: options.hub ?? base,
          token: Option.map(Option.fromNullable(options.token), Redacted.make)
        }).pipe(Layer.provide(FetchHttpClient.layer))
      )
    )
  /** What the hub waits for before it breaks a connection. */
  const read = async (path: string, bytes: number) => {
    const file = `${modelsDir}/.fetch/model-0123456789ab/model/${path}`
    for (let i = 0; i < 200 && Bun.file(file).size < bytes; i++) await Bun.sleep(5)
  }
  const left = Effect.map(fs.readDirectory(modelsDir), (names) => names.filter((name) => name !== ".fetch"))
  return { fs, modelsDir, bring, left, read }
})

const it = <A, E>(title: string, body: () => Effect.Effect<A, E, FileSystem.FileSystem | Path.Path | Scope.Scope>) =>
  live(title, () => Effect.provide(body(), BunContext.layer), 20_000)

describe("a model from a hub", () => {
  it("comes with the files that answering takes, its checksums and where it is from", () =>
    Effect.gen(function* () {
      const { bring, modelsDir, fs } = yield* scene
      const { base, asked, commit } = yield* modelHub(plan)
      const { came, directory, checksum } = yield* bring(base)
      expect([came, directory]).toEqual([all, `${modelsDir}/model`])
      const { manifest, ...bundle } = yield* readBundle(directory)
      expect(bundle.checksum).toBe(checksum)
      expect(manifest).toMatchObject({
        family: "cross-encoder",
        name: "model",
        checkpoint: "model@01234567",
        graph,
        release_date: "2026-10-01",
        licence: "apache-2.0",
        languages: ["en", "de"],
        sources: [`${base}/owner/model@${commit}`]
      })
      expect(Object.keys(manifest.files).sort()).toEqual(["config.json", graph, "tokenizer.json"].sort())
      expect((yield* fs.readDirectory(directory)).sort()).toEqual(
        ["README.md", "config.json", "manifest.json", "onnx", "tokenizer.json"].sort()
      )
      expect(asked.some(({ path }) => path.endsWith("/onnx/model.onnx"))).toBe(false)
      expect(yield* fs.readDirectory(`${modelsDir}/.fetch`)).toEqual([])
    }))

  it("is taken up where the connection broke, as often as it breaks", () =>
    Effect.gen(function* () {
      const { bring, read } = yield* scene
      const breaks = [10_000, 0, 20_000, 1, 1, 1, 1, 1, 1]
      const { base, asked } = yield* modelHub({ ...plan, read, breaks: { [graph]: [...breaks] } })
      const { came, directory } = yield* bring(base)
      expect(came).toBe(all)
      yield* readBundle(directory)
      const ranges = asked.filter(({ path }) => path.endsWith(graph)).map(({ range }) => range)
      expect(ranges.slice(0, 5)).toEqual([undefined, "bytes=10000-", "bytes=10000-", "bytes=30000-", "bytes=30001-"])
      expect(ranges).toHaveLength(breaks.length + 1)
    }))

  it("is given up when nothing comes any more, and goes on with the next try", () =>
    Effect.gen(function* () {
      const { bring, left, read } = yield* scene
      const { base, asked } = yield* modelHub({ ...plan, read, breaks: { [graph]: [30_000, 0, 0, 0, 0, 0] } })
      const failed = yield* Effect.flip(bring(base))
      expect(failed.message).toContain("Run the same command again to go on")
      expect(yield* left).toEqual([])
      asked.length = 0
      const { came, had } = yield* bring(base)
      expect([had, came]).toEqual([all - (files[graph].length - 30_000), files[graph].length - 30_000])
      expect(asked.map(({ path, range }) => [path.split("/").at(-1), range])).toEqual([
        ["main", undefined],
        ["model_quantized.onnx", "bytes=30000-"]
      ])
    }))

  it("leaves nothing of a graph that an earlier try brought and this one does not ask for", () =>
    Effect.gen(function* () {
      const { bring, fs, read } = yield* scene
      const other = "exports/model.onnx"
      const both = { ...files, [`${graph}_data`]: new Uint8Array(20), [other]: files[graph] }
      const { base } = yield* modelHub({
        files: both,
        large: [graph],
        read,
        breaks: { [graph]: [30_000, 0, 0, 0, 0, 0] }
      })
      yield* Effect.flip(bring(base))
      const { directory } = yield* bring(base, { graph: other })
      expect((yield* fs.readDirectory(directory)).sort()).toEqual(
        ["README.md", "config.json", "exports", "manifest.json", "tokenizer.json"].sort()
      )
    }))

  it("begins anew where the hub knows no ranges, or what is there is too long", () =>
    Effect.gen(function* () {
      const { bring, fs, modelsDir, read } = yield* scene
      const { base, commit } = yield* modelHub({ ...plan, read, ignoresRanges: true, breaks: { [graph]: [30_000] } })
      expect((yield* bring(base)).came).toBe(all)
      const aside = `${modelsDir}/.fetch/other-${commit.slice(0, 12)}/other`
      yield* fs.makeDirectory(aside, { recursive: true })
      yield* fs.writeFile(`${aside}/tokenizer.json`, new Uint8Array(files["tokenizer.json"].length + 5))
      const ranged = yield* modelHub(plan)
      yield* readBundle((yield* bring(ranged.base, { name: "other" })).directory)
    }))

  it("does not come where a file is longer than the hub lists, and is not read on", () =>
    Effect.gen(function* () {
      const { bring, left } = yield* scene
      const { base } = yield* modelHub({ ...plan, endless: graph })
      expect((yield* Effect.flip(bring(base))).message).toContain(`${graph} did not have`)
      expect(yield* left).toEqual([])
    }))

  it("does not come where a checksum is wrong, large or small, and leaves nothing of it", () =>
    Effect.gen(function* () {
      for (const wrong of [graph, "tokenizer.json"]) {
        const { bring, left, fs, modelsDir } = yield* scene
        const { base, commit } = yield* modelHub({ ...plan, wrong: [wrong] })
        const failed = yield* Effect.flip(bring(base))
        expect(failed).toMatchObject({ _tag: "HubFailed", message: expect.stringContaining(`${wrong} did not have`) })
        expect(yield* left).toEqual([])
        expect(yield* fs.exists(`${modelsDir}/.fetch/model-${commit.slice(0, 12)}/model/${wrong}`)).toBe(false)
      }
    }))

  it("does not come where the hub or a file is not there, or not open", () =>
    Effect.gen(function* () {
      const { bring, left } = yield* scene
      const failure = (base: string, options?: Parameters<typeof bring>[1]) =>
        Effect.map(Effect.flip(bring(base, options)), ({ message }) => message)
      const { base } = yield* modelHub(plan)
      const { model } = yield* Effect.provide(
        Hub,
        Hub.layer({ hub: base, token: Option.none() }).pipe(Layer.provide(FetchHttpClient.layer))
      )
      const elsewhere = yield* Effect.flip(model({ base, id: "owner/other", revision: "main" }))
      expect(elsewhere.message).toContain("is not there (HTTP 404); check the name")
      expect(yield* failure("http://127.0.0.1:9")).toContain("cannot be reached")
      const gone = yield* modelHub({ ...plan, refusals: { "tokenizer.json": [404] } })
      expect(yield* failure(gone.base)).toContain("tokenizer.json is not there (HTTP 404)")
      const closed = yield* modelHub({ ...plan, token: "hf_secret" })
      // To strangers a hub says the same of a model that is not there.
      expect(yield* failure(closed.base)).toContain("(HTTP 401); check the name, or accept its terms")
      expect(yield* failure(closed.base)).toContain("set HUB_TOKEN")
      const { [graph]: _, "onnx/model.onnx": __, ...bare } = files
      const noGraph = yield* modelHub({ files: bare })
      expect(yield* failure(noGraph.base)).toContain("has no onnx/model.onnx; choose another, or export it to ONNX")
      expect(yield* failure(base, { graph: "onnx/model_fp16.onnx" })).toContain("has no onnx/model_fp16.onnx")
      const topics = { model_type: "bert", id2label: { 0: "sports", 1: "politics" } }
      const other = { ...files, "config.json": new TextEncoder().encode(JSON.stringify(topics)) }
      const wrongKind = yield* modelHub({ ...plan, files: other })
      expect(yield* failure(wrongKind.base)).toContain("only inference (NLI) models answer questions")
      expect(wrongKind.asked.some(({ path }) => path.endsWith(".onnx"))).toBe(false)
      expect(yield* left).toEqual([])
    }))

  it("does not come where what lies in a file's place cannot be read, and says where that is", () =>
    Effect.gen(function* () {
      const { bring, modelsDir, fs } = yield* scene
      const place = `${modelsDir}/.fetch/model-0123456789ab/model/config.json`
      yield* fs.makeDirectory(place, { recursive: true })
      yield* fs.writeFileString(`${place}/anything`, "")
      const { size } = yield* fs.stat(place)
      const { base } = yield* modelHub({ files: { ...files, "config.json": new Uint8Array(Number(size)) } })
      expect((yield* Effect.flip(bring(base))).message).toBe(
        `${place} cannot be read; check its owner and permissions.`
      )
    }))

  it("comes with the graph that is asked for, wherever it lies, and all weights beside it", () =>
    Effect.gen(function* () {
      const { bring, fs } = yield* scene
      const { "onnx/model.onnx": _, ...rest } = files
      for (const chosen of ["exports/cpu/nli.onnx", "nli_int8.onnx"]) {
        const weights = ["_data", "_data_1", ".data"].map((end) => `${chosen}${end}`)
        const beside = Object.fromEntries(weights.map((path) => [path, new Uint8Array(3)]))
        const { base } = yield* modelHub({ ...plan, files: { ...rest, ...beside, [chosen]: files[graph] } })
        const { directory } = yield* bring(base, { graph: chosen, name: chosen.replaceAll("/", "-") })
        const { manifest } = yield* readBundle(directory)
        expect(manifest.graph).toBe(chosen)
        expect(Object.keys(manifest.files).sort()).toEqual(["config.json", "tokenizer.json", chosen, ...weights].sort())
        expect(yield* fs.exists(`${directory}/${graph}`)).toBe(false)
      }
    }))

  it("does not come from a hub that lists a file outside of the model's folder", () =>
    Effect.gen(function* () {
      const { bring, fs, modelsDir } = yield* scene
      for (const outside of [`${graph}_data/../../../../../outside`, "model\n/../../../../outside"]) {
        const { base } = yield* modelHub({ ...plan, files: { ...files, [outside]: new Uint8Array(3) } })
        expect((yield* Effect.flip(bring(base))).message).toContain("does not describe a model")
        expect(yield* fs.readDirectory(modelsDir)).toEqual([])
      }
    }))

  it("comes where its card is untidy", () =>
    Effect.gen(function* () {
      const { bring } = yield* scene
      const { base } = yield* modelHub({ ...plan, card: { license: null, language: ["en", false] } })
      const { manifest } = yield* bring(base)
      expect([manifest.licence, manifest.languages]).toEqual(["unknown", ["en"]])
    }))

  it("waits for a hub that is busy", () =>
    Effect.gen(function* () {
      const { bring } = yield* scene
      const { base } = yield* modelHub({ ...plan, refusals: { [graph]: [429, 503, 500] } })
      expect((yield* bring(base)).came).toBe(all)
    }))

  it("comes once where two ask for it at once: the second is told so, and takes nothing from the first", () =>
    Effect.gen(function* () {
      const { bring, left } = yield* scene
      const { base } = yield* modelHub({ ...plan, refusals: { [graph]: [503, 503, 503, 503] } })
      const both = yield* Effect.all([bring(base), bring(base)], { concurrency: 2, mode: "either" })
      expect(both.flatMap(Either.match({ onLeft: () => [], onRight: ({ came }) => [came] }))).toEqual([all])
      expect(both.flatMap(Either.match({ onLeft: ({ message }) => [message], onRight: () => [] }))).toEqual([
        expect.stringContaining("model is being fetched by another process")
      ])
      expect(yield* left).toEqual(["model"])
    }))

  it("never takes the place of another, nor a name that is not its own to take", () =>
    Effect.gen(function* () {
      const { bring, fs, modelsDir } = yield* scene
      const { base } = yield* modelHub(plan)
      yield* fs.makeDirectory(`${modelsDir}/model`)
      expect((yield* Effect.flip(bring(base))).message).toContain("is there already")
      for (const name of ["svc-english", "../model", ".hidden"])
        expect((yield* Effect.flip(bring(base, { name }))).message).toContain("A model's name begins with")
    }))

  it("is asked for with the token at the hub alone, not where the hub sends on to", () =>
    Effect.gen(function* () {
      const { bring } = yield* scene
      const store = yield* modelHub(plan)
      const { base, asked } = yield* modelHub({ ...plan, token: "hf_secret", elsewhere: store.base })
      yield* bring(base, { token: "hf_secret" })
      expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(new Set(["Bearer hf_secret"]))
      expect(store.asked.length).toBeGreaterThan(3)
      expect(new Set(store.asked.map(({ authorization }) => authorization))).toEqual(new Set([undefined]))
    }))

  it("is asked for without the token where its page is on another hub than the token's", () =>
    Effect.gen(function* () {
      const { bring } = yield* scene
      const { base, asked } = yield* modelHub(plan)
      for (const [name, hub] of ["https://hub.example", `${base}1`].entries())
        yield* bring(base, { token: "hf_secret", hub, name: String(name) })
      expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(new Set([undefined]))
      asked.length = 0
      yield* bring(base, { token: "hf_secret", hub: `${base}/` })
      expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(new Set(["Bearer hf_secret"]))
    }))

  it("is named by owner and model, or by the address of its page", () =>
    Effect.gen(function* () {
      const read = (given: string) => addressOf(given, "https://hub.example/", "main")
      const plain = { base: "https://hub.example", id: "owner/some-model_v1.0", revision: "main" }
      expect(yield* read("owner/some-model_v1.0")).toEqual(plain)
      expect(yield* read("https://hub.example/owner/some-model_v1.0")).toEqual(plain)
      expect(yield* read("http://localhost:99/a/b/tree/v2")).toEqual({
        base: "http://localhost:99",
        id: "a/b",
        revision: "v2"
      })
      expect((yield* read("https://hub.example/a/b/tree/refs%2Fpr%2F1")).revision).toBe("refs/pr/1")
      for (const wrong of ["", "a/b/c", "../a", "a b", "ftp://x/y/z", "https://hub.example/../../etc"])
        expect((yield* Effect.flip(read(wrong))).message).toContain("no model of a hub")
    }))
})
