import { readdirSync, readFileSync, readlinkSync } from "node:fs"

const read = (pid: string, file: string) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8")
  } catch {
    return ""
  }
}

/** Ids of the living processes that `parent` started. */
export const childrenOf = (parent: number): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      const [state, of] = read(pid, "stat").split(") ").at(-1)?.split(" ") ?? []
      return state !== "Z" && Number(of) === parent
    })
    .map(Number)

/** Those of them that are workers. */
export const workersOf = (parent: number): ReadonlyArray<number> =>
  childrenOf(parent).filter((pid) => read(String(pid), "cmdline").includes("worker"))

/** What a process holds open: paths of files, and the kinds of all else. */
export const openOf = (pid: number): ReadonlyArray<string> =>
  readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`)
    } catch {
      return ""
    }
  })
