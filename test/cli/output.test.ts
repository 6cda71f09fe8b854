import { expect, test } from "bun:test"
import { join } from "node:path"

const into = async (place: string) => {
  const command = ["sh", "-c", `"$0" src/cli/main.ts --help ${place}`, process.execPath]
  const child = Bun.spawn(command, { cwd: join(import.meta.dir, "../.."), stdout: "pipe", stderr: "pipe" })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { out, err, code: await child.exited }
}

test("svc does not end well where what it prints is lost", async () => {
  expect(await into("> /dev/full")).toEqual({ out: "", err: expect.stringMatching(/^ENOSPC: no space left/), code: 1 })
  expect(await into("")).toEqual({ out: expect.stringContaining("decide"), err: "", code: 0 })
})
