import { dirname } from "node:path"
import { setImmediate } from "node:timers/promises"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { Effect, ParseResult, Schema } from "effect"
import { describeHub, isWeightsOf } from "./HubFolder.ts"
import { InvalidBundle } from "./InvalidBundle.ts"
import { Manifest } from "./Manifest.ts"

/** A model on disk. */
export interface Bundle {
  readonly directory: string
  readonly manifest: Manifest
  /** SHA-256 over the names and SHA-256 of its files, in hex: tells two states of a folder apart. */
  readonly checksum: string
}

const OWN = "manifest.json"

const decode = Schema.decode(Schema.parseJson(Manifest), { errors: "all" })

/** SHA-256 of a file in hex, read as a stream; others get their turn between its chunks, which a quick disk never waits for. */
export const sha256 = (file: string) =>
  Effect.tryPromise({
    try: async () => {
      const hash = new Bun.CryptoHasher("sha256")
      for await (const chunk of Bun.file(file).stream()) {
        hash.update(chunk)
        await setImmediate()
      }
      return hash.digest("hex")
    },
    catch: () =>
      new InvalidBundle({
        directory: dirname(file),
        message: `${file} cannot be read; check its owner and permissions`
      })
  })

/** Whether a folder holds a model: our own format, or one as it comes from a model hub. */
export const isBundle = (directory: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    return (yield* fs.exists(path.join(directory, OWN))) || (yield* fs.exists(path.join(directory, "config.json")))
  }).pipe(Effect.orElseSucceed(() => false))

/** The manifest of a folder, or one made for a folder from a model hub, without a look at the other files. */
export const readManifest = Effect.fn("Bundle.readManifest")(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(directory, OWN)
  const own = yield* Effect.orElseSucceed(fs.exists(file), () => false)
  if (!own) return yield* describeHub(directory)
  const invalid = (message: string) => new InvalidBundle({ directory, message })
  const text = yield* fs
    .readFileString(file)
    .pipe(Effect.mapError(() => invalid(`${directory} has no readable manifest.json`)))
  return yield* decode(text).pipe(
    Effect.mapError((error) =>
      invalid(`${file} is not a manifest: ${ParseResult.TreeFormatter.formatErrorSync(error)}`)
    )
  )
})

/** Reads a model's folder, and checks size and SHA-256 of every file that its manifest lists. */
export const readBundle = Effect.fn("Bundle.readBundle")(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const manifest = yield* readManifest(directory)
  const { graph, tokenizer, files } = manifest
  const own = yield* Effect.orElseSucceed(fs.exists(path.join(directory, OWN)), () => false)
  const invalid = (name: string, message: string) =>
    new InvalidBundle({ directory, message: `${path.join(directory, name)} ${message}` })
  const others =
    manifest.family === "branches" ? [manifest.long, manifest.front].filter((name) => name !== undefined) : []
  for (const name of own ? [graph, ...others, tokenizer] : [])
    if (!(name in files)) return yield* invalid(OWN, `does not list ${name} among its files; add its size and SHA-256`)

  const sum = Effect.fnUntraced(function* (name: string) {
    const file = path.join(directory, name)
    const expected = files[name]
    const info = yield* fs.stat(file).pipe(Effect.mapError(() => invalid(name, "is missing; copy the whole folder")))
    if (expected !== undefined && Number(info.size) !== expected.bytes)
      return yield* invalid(name, `has ${info.size} bytes, its manifest says ${expected.bytes}; copy it again`)
    const found = yield* sha256(file)
    if (expected !== undefined && found !== expected.sha256)
      return yield* invalid(name, "does not have the SHA-256 that its manifest says; copy it again")
    return `${found}  ${name}\n`
  })
  const folder = path.dirname(graph)
  const beside = yield* Effect.orElseSucceed(fs.readDirectory(path.join(directory, folder)), (): Array<string> => [])
  const weights = beside.map((name) => path.join(folder, name)).filter(isWeightsOf(graph))
  const names = own ? [OWN, ...Object.keys(files)] : ["config.json", graph, tokenizer, ...weights]
  const sums = yield* Effect.forEach(names.toSorted(), sum, { concurrency: 2 })
  const checksum = new Bun.CryptoHasher("sha256").update(sums.join("")).digest("hex")
  return { directory, manifest, checksum } satisfies Bundle
})

/** Reads a folder that has to hold the very files that it held once: of other ones it says so. */
export const readUnchanged = (place: { readonly directory: string; readonly checksum: string }) =>
  Effect.filterOrFail(
    readBundle(place.directory),
    ({ checksum }) => checksum === place.checksum,
    ({ directory }) => new InvalidBundle({ directory, message: `${directory} holds other files; copy it again` })
  )
