import { spawn } from "node:child_process"

/**
 * Runs a shell script with arguments once this process is gone, however it ended. Test runs end without a word to what
 * they share, such as a database server or a browser.
 */
export const afterwards = (script: string, ...args: ReadonlyArray<string>) => {
  const guard = spawn("sh", ["-c", `cat > /dev/null; ${script}`, "sh", ...args], {
    detached: true,
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"]
  })
  guard.unref()
}
