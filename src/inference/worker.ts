import { BunContext } from "@effect/platform-bun"
import { Cause, Effect, Exit, Queue, Schema } from "effect"
import { readManifest } from "#src/models/Bundle"
import { loadBranches } from "./branches/BranchesModel.ts"
import { loadCrossEncoder } from "./crossencoder/CrossEncoderModel.ts"
import { Reply, Request, RunFailed } from "./Protocol.ts"

/**
 * A worker process: answers one task after another with the models whose folders are its arguments.
 * It lives as long as the server that started it: signals to the whole process group are the server's to handle.
 */
const models = Effect.fn("models")(function* (directory: string) {
  const { manifest } = yield* readManifest(directory)
  switch (manifest.family) {
    case "branches":
      return yield* loadBranches(directory, manifest)
    case "cross-encoder":
      return yield* loadCrossEncoder(directory, manifest)
  }
})

const send = (reply: Reply) =>
  Schema.encode(Reply)(reply).pipe(Effect.flatMap((encoded) => Effect.sync(() => process.send?.(encoded))))

const program = Effect.gen(function* () {
  const inbox = yield* Queue.unbounded<unknown>()
  process.on("message", (message) => inbox.unsafeOffer(message))
  process.on("disconnect", () => process.exit(0))
  process.on("SIGINT", () => {})
  process.on("SIGTERM", () => {})
  const model = yield* Effect.cachedFunction(models)
  yield* Effect.forEach(process.argv.slice(2), model)
  yield* send({ _tag: "Ready" })
  return yield* Effect.forever(
    Effect.gen(function* () {
      const { id, task } = yield* Effect.flatMap(inbox.take, Schema.decodeUnknown(Request))
      const exit = yield* model(task.bundle).pipe(
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
