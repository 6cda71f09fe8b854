import { FileSystem } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { type Duration, Effect, Stream } from "effect"
import { Broken } from "./Broken.ts"
import { beginOf, Hub, type HubFile, type HubModel } from "./Hub.ts"
import { HubFailed } from "./HubFailed.ts"

/** Tries in a row that bring nothing before a download is given up. */
const TRIES = 5
/** A connection that brings nothing for so long is broken. */
const STALLED = "30 seconds"

/** Where a file goes, and who is told how it gets on. */
export interface DownloadOptions {
  /** The file on this machine; what is there already is kept. */
  readonly target: string
  /** How many bytes are there from an earlier try. */
  readonly had: (bytes: number) => Effect.Effect<void>
  /** How many bytes came, or below 0 how many had to be thrown away. */
  readonly came: (bytes: number) => Effect.Effect<void>
  /** Between two tries. */
  readonly pause: Duration.DurationInput
}

/** Whether a file on this machine is the one on the hub. */
const isWhole = (target: string, { bytes, hash }: HubFile) =>
  Effect.tryPromise({
    try: async () => {
      const hasher = new Bun.CryptoHasher("sha256" in hash ? "sha256" : "sha1")
      if ("git" in hash) hasher.update(`blob ${bytes}\0`)
      for await (const chunk of Bun.file(target).stream()) hasher.update(chunk)
      return hasher.digest("hex") === ("sha256" in hash ? hash.sha256 : hash.git)
    },
    catch: () => new HubFailed({ message: `${target} cannot be read; check its owner and permissions.` })
  })

/**
 * Brings a file from a hub. A connection that breaks is taken up again where it broke, and so is a download that was
 * given up before. What does not have the hub's checksum is thrown away.
 */
export const download = Effect.fn("download")(function* (model: HubModel, file: HubFile, options: DownloadOptions) {
  const fs = yield* FileSystem.FileSystem
  const hub = yield* Hub
  const { target, had, came, pause } = options

  const size = Effect.orElseSucceed(
    Effect.map(fs.stat(target), (info) => Number(info.size)),
    () => 0
  )
  const throwAway = Effect.gen(function* () {
    yield* came(-(yield* size))
    yield* fs.remove(target, { force: true })
  })

  const once = Effect.gen(function* () {
    const from = yield* size
    if (from === file.bytes && from > 0) return
    const response = yield* hub.open(model, file.path, from)
    const begin = beginOf(response)
    if (response.status === 416 || (begin !== 0 && begin !== from)) {
      yield* throwAway
      return yield* new Broken({ message: `${file.path} cannot be taken up at byte ${from}` })
    }
    if (begin === 0) yield* throwAway
    yield* response.stream.pipe(
      // What comes beyond the size that the hub lists is no part of the file, and may have no end.
      Stream.mapAccum(begin, (got, chunk) => [got + chunk.length, { got, chunk }]),
      Stream.takeWhile(({ got }) => got <= file.bytes),
      Stream.map(({ chunk }) => chunk),
      Stream.mapError(() => new Broken({ message: `The connection broke while ${file.path} came` })),
      Stream.timeoutFail(() => new Broken({ message: `${file.path} stopped coming` }), STALLED),
      Stream.tap(({ length }) => came(length)),
      Stream.run(fs.sink(target, { flag: "a" }))
    )
    if ((yield* size) < file.bytes)
      return yield* new Broken({ message: `The connection ended while ${file.path} came` })
  })

  /** Tries again; a try that brought something begins the count anew. */
  const persistently = (left: number): Effect.Effect<void, HubFailed | PlatformError> =>
    Effect.gen(function* () {
      const before = yield* size
      yield* Effect.catchTag(once, "Broken", ({ message }) =>
        Effect.gen(function* () {
          const more = (yield* size) > before
          if (!more && left === 1)
            return yield* new HubFailed({ message: `${message}. Run the same command again to go on.` })
          yield* Effect.sleep(pause)
          yield* persistently(more ? TRIES : left - 1)
        })
      )
    })

  yield* had(yield* size)
  yield* persistently(TRIES)
  if (yield* isWhole(target, file)) return
  yield* throwAway
  return yield* new HubFailed({
    message: `${file.path} did not have the hub's checksum and was thrown away; try again.`
  })
})
