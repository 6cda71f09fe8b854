import type { UsageReport } from "#schema/console/Billing"

/** What happened on one day. */
export interface Day {
  readonly date: string
  readonly requests: number
  readonly decisions: number
  readonly costMicros: number
}

/** The name of a key in a report; work of the console itself has no key. */
export const keyName = (report: UsageReport, id: string) =>
  id === "" ? "Console" : (report.keys.find((key) => key.id === id)?.name ?? "a key")

/** Ids of the keys that did something, the busiest first. */
export const usedKeys = (report: UsageReport): ReadonlyArray<string> => {
  const totals = new Map<string, number>()
  for (const { key_id, requests, decisions } of report.days)
    totals.set(key_id, (totals.get(key_id) ?? 0) + requests + decisions)
  return [...totals].sort((a, b) => b[1] - a[1]).map(([id]) => id)
}

/** Every day of the report, also those on which nothing happened; of one key, or of all. */
export const daily = (report: UsageReport, key?: string): ReadonlyArray<Day> => {
  const days: Array<Day> = []
  for (let at = Date.parse(report.from); at <= Date.parse(report.to); at += 86_400_000) {
    const date = new Date(at).toISOString().slice(0, 10)
    const own = report.days.filter((day) => day.date === date && (key === undefined || day.key_id === key))
    days.push({
      date,
      requests: own.reduce((sum, { requests }) => sum + requests, 0),
      decisions: own.reduce((sum, { decisions }) => sum + decisions, 0),
      costMicros: own.reduce((sum, { cost_micros }) => sum + cost_micros, 0)
    })
  }
  return days
}

/** The sum of some days. */
export const total = (days: ReadonlyArray<Day>) => ({
  requests: days.reduce((sum, { requests }) => sum + requests, 0),
  decisions: days.reduce((sum, { decisions }) => sum + decisions, 0),
  costMicros: days.reduce((sum, { costMicros }) => sum + costMicros, 0)
})

// A name that begins like a formula would be run as one by a spreadsheet.
const cell = (text: string) => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

/** The report as CSV: a row per day and key. */
export const csv = (report: UsageReport): string =>
  [
    // Without the mark, Excel reads names that are not all ASCII in the alphabet of its system.
    "\uFEFFdate,key,key_id,requests,decisions,cost_usd",
    ...report.days.map(({ date, key_id, requests, decisions, cost_micros }) =>
      [date, cell(keyName(report, key_id)), key_id, requests, decisions, (cost_micros / 1_000_000).toFixed(6)].join(",")
    )
  ].join("\r\n")
