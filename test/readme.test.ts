import { expect, test } from "bun:test"

test("the README shows a whole test of the suite, in under 30 lines", async () => {
  const readme = await Bun.file(new URL("../README.md", import.meta.url)).text()
  const shown = await Bun.file(new URL("downstream.test.ts", import.meta.url)).text()
  expect(readme).toContain(`\`\`\`ts\n${shown}\`\`\``)
  expect(shown.trimEnd().split("\n").length).toBeLessThan(30)
})
