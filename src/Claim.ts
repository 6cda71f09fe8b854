import { Database } from "bun:sqlite"
import { join } from "node:path"
import { SqlError } from "@effect/sql/SqlError"
import { Effect, type Scope } from "effect"

const inUse = (folder: string) =>
  new Error(
    `${folder} is in use by another process of the service. End it, or set another DATA_DIR; instances that are to share a database share a DATABASE_URL`
  )

const refused = (folder: string) => (cause: unknown) =>
  new SqlError({
    cause: cause instanceof Error && "code" in cause && cause.code === "SQLITE_BUSY" ? inUse(folder) : cause
  })

/**
 * Keeps a data folder for this process alone: the embedded database looks after one process only, and two would
 * overwrite what the other wrote. The lock goes with its process, however that ends.
 */
export const claim = (folder: string): Effect.Effect<void, SqlError, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.try({
        try: () => {
          const lock = new Database(join(folder, "lock"))
          lock.run("pragma journal_mode = memory")
          lock.run("begin exclusive")
          return lock
        },
        catch: refused(folder)
      }),
      (lock) => Effect.sync(() => lock.close())
    )
  )
