import { readdirSync, readFileSync } from "node:fs"

const read = (pid: string, file: string) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8")
  } catch {
    return ""
  }
}

/** Ids of the living worker processes that `parent` started. */
export const workersOf = (parent: number): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => read(pid, "cmdline").includes("worker"))
    .filter((pid) => {
      const [state, of] = read(pid, "stat").split(") ").at(-1)?.split(" ") ?? []
      return state !== "Z" && Number(of) === parent
    })
    .map(Number)
