// Not the whole packages: loading them would nearly double the time in which a worker starts.
import * as BunContext from "@effect/platform-bun/BunContext"
import { Cause, Effect, Exit, Queue, Schema } from "effect"
import { readUnchanged } from "#src/models/Bundle"
import { loadBranches } from "./branches/BranchesModel.ts"
import { loadCrossEncoder } from "./crossencoder/CrossEncoderModel.ts"
import { loadMarkers } from "./markers/MarkersModel.ts"
import { type ModelPlace, ModelPlaces, Reply, Request, RunFailed } from "./Protocol.ts"
import { makeShelf } from "./Shelf.ts"

/** Models beside those of the start that a worker holds at a time. */
const MOST_LENT = 8

/**
 * Long after the server looked at a folder, when a worker takes the place of a lost one or a task asks for another model,
 * it may have been replaced: other files answer under no name but their own.
 */
const load = Effect.fn("load")(function* (place: ModelPlace) {
  const { directory, manifest } = yield* readUnchanged(place)
  switch (manifest.family) {
    case "branches":
      return yield* loadBranches(place, manifest)
    case "cross-encoder":
      return yield* loadCrossEncoder(directory, manifest)
    case "markers":
      return yield* loadMarkers(directory, manifest)
  }
})

const send = (reply: Reply) =>
  Schema.encode(Reply)(reply).pipe(Effect.flatMap((encoded) => Effect.sync(() => process.send?.(encoded))))

/**
 * A worker process: answers one task after another. It loads the models that its argument lists before all, and ends if
 * none is there any more; others when a task first asks for them.
 * It lives as long as the server that started it: signals to the whole process group are the server's to handle.
 */
const program = Effect.gen(function* () {
  const inbox = yield* Queue.unbounded<unknown>()
  process.on("message", (message) => inbox.unsafeOffer(message))
  process.on("disconnect", () => process.exit(0))
  process.on("SIGINT", () => {})
  process.on("SIGTERM", () => {})
  const shelf = makeShelf(load, MOST_LENT)
  const places = yield* Schema.decodeUnknown(ModelPlaces)(process.argv[2])
  // The server found them all: a folder that has gone since is no reason to answer by no other model.
  const [lacking] = yield* Effect.partition(places, (place) =>
    Effect.mapError(shelf.keep(place), ({ message }) => ({ place, message }))
  )
  for (const { message } of lacking) console.error(message)
  if (lacking.length > 0 && lacking.length === places.length) return
  yield* send({ _tag: "Ready", lacking: lacking.map(({ place }) => place) })
  return yield* Effect.forever(
    Effect.gen(function* () {
      const { id, task } = yield* Effect.flatMap(inbox.take, Schema.decodeUnknown(Request))
      const exit = yield* shelf
        .take(task.model, (loading) =>
          Effect.orDie(send({ _tag: "Loading", id })).pipe(
            Effect.zipRight(loading),
            Effect.zipLeft(Effect.orDie(send({ _tag: "Loaded", id })))
          )
        )
        .pipe(
          Effect.orDie,
          Effect.flatMap(({ run }) => run(task)),
          Effect.catchAllDefect((defect) => new RunFailed({ message: String(defect) })),
          Effect.exit
        )
      yield* send({ _tag: "Done", id, exit })
    })
  )
})

Effect.runPromiseExit(program.pipe(Effect.provide(BunContext.layer))).then((exit) => {
  if (Exit.isFailure(exit)) console.error(Cause.pretty(exit.cause))
  process.exit(1)
})
