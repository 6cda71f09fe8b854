import { Database } from "bun:sqlite"
import { Effect, Schema, type Scope } from "effect"

/** A file could not be claimed; the message says who has it, or why the machine refused. */
export class ClaimFailed extends Schema.TaggedError<ClaimFailed>()("ClaimFailed", { message: Schema.String }) {}

const isTaken = (cause: unknown) => cause instanceof Error && "code" in cause && cause.code === "SQLITE_BUSY"

/** Keeps a file for one process alone, that of this scope; `taken` is said where another has it. The lock goes with its process, however that ends. */
export const claim = (file: string, taken: string): Effect.Effect<void, ClaimFailed, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.try({
        try: () => {
          const lock = new Database(file)
          lock.run("pragma journal_mode = memory")
          lock.run("begin exclusive")
          return lock
        },
        catch: (cause) => new ClaimFailed({ message: isTaken(cause) ? taken : `${file} cannot be locked (${cause})` })
      }),
      (lock) => Effect.sync(() => lock.close())
    )
  )
