import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PGlite } from "@electric-sql/pglite"
import { Effect, Layer } from "effect"
import { embedded } from "#src/database/Embedded"
import { migrations } from "#src/database/Migrations"
import packages from "../../package.json"
import { once } from "./once.ts"

/** The databases that new ones are made of: nobody makes one here, and without their files a copy takes half the time. */
const withoutTemplates = [
  "update pg_database set datistemplate = false",
  "drop database template0",
  "drop database template1",
  "checkpoint"
]

/** All statements that the database is made by: other ones make another database. */
const statements = async () => {
  const folder = join(import.meta.dir, "../../sql")
  const paths = [...new Bun.Glob("**/*.sql").scanSync(folder)].sort()
  const texts = await Promise.all(paths.map((path) => Bun.file(join(folder, path)).text()))
  return [...texts.map((text, i) => `${paths[i]}\n${text}`), ...withoutTemplates].join("\n")
}

/** A migrated embedded database's files, for all tests to copy: making them takes longer than most of them. */
const fresh = async () => {
  const version = packages.dependencies["@electric-sql/pglite"]
  const made = Bun.hash(await statements()).toString(36)
  const kept = join(tmpdir(), `pglite-migrated-${version}-${made}-${process.getuid?.() ?? 0}`)
  return Bun.file(
    await once(kept, async (part) => {
      const folder = await mkdtemp(join(tmpdir(), "pglite-"))
      await Effect.runPromise(Effect.scoped(Layer.build(migrations.pipe(Layer.provide(embedded({ dataDir: folder }))))))
      const database = await PGlite.create(folder)
      for (const statement of withoutTemplates) await database.query(statement)
      await Bun.write(part, await database.dumpDataDir("none"))
      await database.close()
      await rm(folder, { recursive: true })
    })
  )
}

/** A migrated PostgreSQL in this process, empty and in memory. */
export const DatabaseInMemory = Layer.unwrapEffect(
  Effect.map(Effect.promise(fresh), (loadDataDir) => migrations.pipe(Layer.provideMerge(embedded({ loadDataDir }))))
)
