import { expect, test } from "bun:test"
import { calendarDay, money } from "#src/console/app/format"

test("Money is shown to the last micro, and in cents where they suffice", () => {
  expect([0, 15, 2_500_000, 4_999_985, 1_234_567_890].map(money)).toEqual([
    "$0.00",
    "$0.000015",
    "$2.50",
    "$4.999985",
    "$1,234.56789"
  ])
})

test("A day is the same day west of Greenwich, and what is no day stays as it is", () => {
  const module = new URL("../../src/console/app/format.ts", import.meta.url).pathname
  const script = `import { calendarDay } from ${JSON.stringify(module)}; console.log(calendarDay("2026-11-22"))`
  const { stdout } = Bun.spawnSync([process.execPath, "-e", script], { env: { TZ: "America/Los_Angeles" } })
  expect(stdout.toString()).toBe("Nov 22, 2026\n")
  expect(["2026-02-30x", "2026-13-01", "soon"].map(calendarDay)).toEqual(["2026-02-30x", "2026-13-01", "soon"])
})
