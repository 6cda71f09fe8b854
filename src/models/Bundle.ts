import { FileSystem, Path } from "@effect/platform"
import { Effect, ParseResult, Schema } from "effect"
import { describeHub } from "./HubFolder.ts"
import { InvalidBundle } from "./InvalidBundle.ts"
import { Manifest } from "./Manifest.ts"

/** A model on disk. */
export interface Bundle {
  readonly directory: string
  readonly manifest: Manifest
}

const decode = Schema.decode(Schema.parseJson(Manifest), { errors: "all" })

/** SHA-256 of a file in hex, read as a stream. */
const sha256 = (file: string) =>
  Effect.promise(async () => {
    const hash = new Bun.CryptoHasher("sha256")
    for await (const chunk of Bun.file(file).stream()) hash.update(chunk)
    return hash.digest("hex")
  })

/** Whether a folder holds a model: our own format, or one as it comes from a model hub. */
export const isBundle = (directory: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    return (
      (yield* fs.exists(path.join(directory, "manifest.json"))) ||
      (yield* fs.exists(path.join(directory, "config.json")))
    )
  }).pipe(Effect.orElseSucceed(() => false))

/** Reads the manifest of a folder, or makes one for a folder from a model hub, without looking at the other files. */
export const readManifest = Effect.fn("Bundle.readManifest")(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const invalid = (message: string) => new InvalidBundle({ directory, message })
  const own = yield* Effect.orElseSucceed(fs.exists(path.join(directory, "manifest.json")), () => false)
  if (!own) return { directory, manifest: yield* describeHub(directory) } satisfies Bundle
  const text = yield* fs
    .readFileString(path.join(directory, "manifest.json"))
    .pipe(Effect.mapError(() => invalid(`${directory} has no readable manifest.json`)))
  const manifest = yield* decode(text).pipe(
    Effect.mapError((error) =>
      invalid(`${directory}/manifest.json is not a manifest: ${ParseResult.TreeFormatter.formatErrorSync(error)}`)
    )
  )
  return { directory, manifest } satisfies Bundle
})

/** Reads a model's folder and checks size and SHA-256 of every file that its manifest lists. */
export const readBundle = Effect.fn("Bundle.readBundle")(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const bundle = yield* readManifest(directory)
  yield* Effect.forEach(
    Object.entries(bundle.manifest.files),
    ([name, expected]) =>
      Effect.gen(function* () {
        const file = path.join(directory, name)
        const invalid = (message: string) => new InvalidBundle({ directory, message: `${file} ${message}` })
        const info = yield* fs.stat(file).pipe(Effect.mapError(() => invalid("is missing; copy the whole folder")))
        if (Number(info.size) !== expected.bytes)
          return yield* invalid(`has ${info.size} bytes, its manifest says ${expected.bytes}; copy it again`)
        if ((yield* sha256(file)) !== expected.sha256)
          return yield* invalid("does not have the SHA-256 that its manifest says; copy it again")
      }),
    { concurrency: 2, discard: true }
  )
  return bundle
})
