import { existsSync } from "node:fs"
import { rename, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PGlite } from "@electric-sql/pglite"
import { Effect, Layer } from "effect"
import { embedded } from "#src/database/Embedded"
import { randomId } from "#src/database/id"
import { migrations } from "#src/database/Migrations"
import packages from "../../package.json"

/** An embedded database's first files, made once for all tests to copy: making them takes longer than most of them. */
const fresh = async () => {
  const kept = join(
    tmpdir(),
    `pglite-empty-${packages.dependencies["@electric-sql/pglite"]}-${process.getuid?.() ?? 0}`
  )
  if (!existsSync(kept)) {
    const database = await PGlite.create()
    const dump = await database.dumpDataDir("none")
    await database.close()
    // Another run may make them at the same time.
    const made = `${kept}.${randomId()}`
    await writeFile(made, new Uint8Array(await dump.arrayBuffer()))
    await rename(made, kept)
  }
  return Bun.file(kept)
}

/** A migrated PostgreSQL in this process, empty and in memory. */
export const DatabaseInMemory = Layer.unwrapEffect(
  Effect.map(Effect.promise(fresh), (loadDataDir) => migrations.pipe(Layer.provideMerge(embedded({ loadDataDir }))))
)
