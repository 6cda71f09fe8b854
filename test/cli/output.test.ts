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

test("what is longer than a pipe holds comes to a slow reader once", async () => {
  const program = `import { Console, Effect } from "effect"
    import { printing } from "./src/cli/standardOutput.ts"
    const lines = Array.from({ length: 3000 }, (_, n) => "line " + n + " ".repeat(60) + "end")
    await Effect.runPromise(printing(Effect.forEach([lines.slice(0, 1500).join("\\n"), lines.slice(1500).join("\\n")], (text) => Console.log(text))))`
  const child = Bun.spawn(["sh", "-c", `"$0" -e '${program}' | (sleep 1; cat)`, process.execPath], {
    cwd: join(import.meta.dir, "../.."),
    stdout: "pipe"
  })
  const lines = (await new Response(child.stdout).text()).trimEnd().split("\n")
  expect(lines.map((line) => line.split(" ")[1])).toEqual(Array.from({ length: 3000 }, (_, n) => String(n)))
})
