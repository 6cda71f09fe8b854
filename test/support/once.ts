import { existsSync } from "node:fs"
import { mkdir, rename, rm, stat } from "node:fs/promises"
import { randomId } from "#src/database/id"

/** After so many milliseconds whoever began counts as killed. */
const patience = 60_000

/**
 * The path of a file or folder that is made once for all processes and all later runs. Who needs it meanwhile waits:
 * making it anew in each process would take what the copy is there to save.
 */
export const once = async (path: string, make: (part: string) => Promise<void>) => {
  const begun = `${path}.begun`
  for (; !existsSync(path); await Bun.sleep(50)) {
    const mine = await mkdir(begun).then(
      () => true,
      () =>
        stat(begun)
          .then(({ mtimeMs }) => Date.now() - mtimeMs > patience)
          .catch(() => false)
    )
    if (!mine || existsSync(path)) continue
    const part = `${path}.${randomId()}`
    await make(part)
    // One that took too long for another may come second.
    await rename(part, path).catch(() => rm(part, { recursive: true }))
  }
  await rm(begun, { recursive: true, force: true })
  return path
}
