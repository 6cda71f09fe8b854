import { statfsSync, writeFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

/** A file system of its own for the database, small enough to fill: a tmpfs, where this user may mount one. */
export const small = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = await mkdtemp(join(tmpdir(), "chaos-"))
    const mounted =
      (await Bun.$`mount -t tmpfs -o size=700m,mode=1777 tmpfs ${folder}`.nothrow().quiet()).exitCode === 0
    return { folder, mounted }
  }),
  ({ folder, mounted }) =>
    Effect.promise(async () => {
      if (mounted) await Bun.$`umount -l ${folder}`.nothrow().quiet()
      await rm(folder, { recursive: true, force: true })
    })
).pipe(
  Effect.map(({ folder, mounted }) => {
    const ballast = join(folder, "ballast")
    return {
      folder,
      mounted,
      /** Leaves not a block free. */
      fill: () => {
        const { bavail, bsize } = statfsSync(folder)
        const block = Buffer.alloc(bsize)
        const free = Buffer.alloc(Math.max(0, bavail - 64) * bsize)
        writeFileSync(ballast, free)
        try {
          while (true) writeFileSync(ballast, block, { flag: "a" })
        } catch {
          return
        }
      },
      empty: () => rm(ballast, { force: true })
    }
  })
)
