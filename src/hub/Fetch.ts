import { FileSystem, Path } from "@effect/platform"
import { Effect, Schema } from "effect"
import { claim } from "../Claim.ts"
import { readBundle, sha256 } from "../models/Bundle.ts"
import { describeHub, graphOf, isWeightsOf, readConfig } from "../models/HubFolder.ts"
import { Manifest } from "../models/Manifest.ts"
import { isOwnName, nameRule } from "../models/Name.ts"
import { type DownloadOptions, download } from "./Download.ts"
import type { HubFile, HubModel } from "./Hub.ts"
import { HubFailed } from "./HubFailed.ts"

/** What of a model is brought. */
export interface Wanted {
  readonly graph: string
  /** Small ones first. */
  readonly files: ReadonlyArray<HubFile>
}

/** Where a model goes, and who is told how its files get on. */
export interface FetchOptions extends Omit<DownloadOptions, "target"> {
  readonly modelsDir: string
  /** Of the folder, and of the model in requests. */
  readonly name: string
}

const encode = Schema.encode(Schema.parseJson(Manifest, { space: 2 }))

/** The files that answering takes, with card and licence. Of several graphs the one given is taken, or the first of the usual ones. */
export const wanted = (model: HubModel, graph?: string): Effect.Effect<Wanted, HubFailed> => {
  const paths = model.files.map(({ path }) => path)
  const chosen = graph ?? graphOf(paths) ?? "onnx/model.onnx"
  const needed = ["config.json", "tokenizer.json", chosen]
  const missing = needed.filter((path) => !paths.includes(path))
  if (missing.length > 0)
    return new HubFailed({
      message: `${model.url} has no ${missing.join(" and no ")}; choose another, or export it to ONNX and copy its folder.`
    })
  const beside = /^(README\.md|LICENSE(\.\w+)?)$/
  const isWeights = isWeightsOf(chosen)
  const files = model.files.filter(({ path }) => needed.includes(path) || isWeights(path) || beside.test(path))
  return Effect.succeed({ graph: chosen, files: files.toSorted((a, b) => a.bytes - b.bytes) })
}

/**
 * Brings the files of a model into a folder of the models folder, with a manifest that says their checksums and where they are
 * from. The folder appears whole or not at all; what came before a break stays aside for the next try.
 */
export const fetchModel = Effect.fn("fetchModel")(function* (
  model: HubModel,
  { graph, files }: Wanted,
  { modelsDir, name, ...options }: FetchOptions
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  if (!isOwnName(name)) return yield* new HubFailed({ message: `A model's name ${nameRule}; give one with --name.` })
  const target = path.resolve(modelsDir, name)
  if (yield* fs.exists(target))
    return yield* new HubFailed({ message: `${target} is there already; remove it first, or give another --name.` })

  const aside = path.resolve(modelsDir, ".fetch", `${name}-${model.commit.slice(0, 12)}`)
  const staged = path.join(aside, name)
  yield* fs.makeDirectory(aside, { recursive: true })
  yield* claim(
    path.join(aside, "lock"),
    `${name} is being fetched by another process; wait for it, or end it and run the same command again.`
  ).pipe(Effect.mapError(({ message }) => new HubFailed({ message })))
  for (const file of files) {
    const target = path.join(staged, file.path)
    yield* fs.makeDirectory(path.dirname(target), { recursive: true })
    yield* download(model, file, { ...options, target })
    // Before the large ones come: whether such a model answers at all.
    if (file.path === "config.json") yield* readConfig(staged)
  }

  // An earlier try may have brought another graph.
  for (const name of yield* fs.readDirectory(staged, { recursive: true }))
    if (!files.some(({ path }) => path === name || path.startsWith(`${name}/`)))
      yield* fs.remove(path.join(staged, name), { recursive: true, force: true })

  const sums = yield* Effect.forEach(
    files.filter(({ path }) => /\.json$|\.onnx/.test(path)),
    (file) => Effect.map(sha256(path.join(staged, file.path)), (sum) => ({ ...file, sum }))
  )
  const manifest = yield* encode({
    ...(yield* describeHub(staged, graph)),
    checkpoint: `${name}@${model.commit.slice(0, 8)}`,
    release_date: model.released,
    languages: model.languages,
    licence: model.licence,
    sources: [`${model.url}@${model.commit}`],
    files: Object.fromEntries(sums.map((file) => [file.path, { bytes: file.bytes, sha256: file.sum }]))
  })
  yield* fs.writeFileString(path.join(staged, "manifest.json"), `${manifest}\n`)
  const bundle = yield* readBundle(staged)
  yield* fs.rename(staged, target)
  yield* fs.remove(aside, { recursive: true })
  return { ...bundle, directory: target }
}, Effect.scoped)
