import { expect, test } from "bun:test"
import { csv, daily, total } from "#src/console/app/pages/usageSeries"

const report = {
  from: "2026-02-27",
  to: "2026-03-02",
  keys: [{ id: "key_1", name: '=HYPERLINK("x"), "quoted"' }],
  days: [
    { date: "2026-02-28", key_id: "key_1", requests: 2, decisions: 5, cost_micros: 75 },
    { date: "2026-02-28", key_id: "", requests: 1, decisions: 1, cost_micros: 15 },
    { date: "2026-03-02", key_id: "key_1", requests: 1, decisions: 3, cost_micros: 45 }
  ]
}

test("A usage report names every day of its window, in sum and for one key", () => {
  expect(daily(report).map(({ date, decisions }) => [date, decisions])).toEqual([
    ["2026-02-27", 0],
    ["2026-02-28", 6],
    ["2026-03-01", 0],
    ["2026-03-02", 3]
  ])
  expect(total(daily(report, "key_1"))).toEqual({ requests: 3, decisions: 8, costMicros: 120 })
})

test("The CSV says that it is UTF-8; a name in it is never a formula, and quotes stay inside", () => {
  const [head = "", first = "", second = ""] = csv(report).split("\r\n")
  expect(head).toStartWith("\uFEFFdate,key,")
  expect(first).toBe(`2026-02-28,"'=HYPERLINK(""x""), ""quoted""",key_1,2,5,0.000075`)
  expect(second).toBe('2026-02-28,"Console",,1,1,0.000015')
})
