import { lazy, Suspense, useCallback, useMemo, useState } from "react"
import type { UsageReport } from "#schema/console/Billing"
import { count, dayOf, money } from "../format.ts"
import { Link } from "../router.tsx"
import { Button } from "../ui/Button.tsx"
import { Segmented, Select } from "../ui/Field.tsx"
import { SumsTable } from "./SumsTable.tsx"
import { csv, daily, keyName, total, usedKeys } from "./usageSeries.ts"

const UsageChart = lazy(() => import("./UsageChart.tsx"))

const download = (report: UsageReport) => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([csv(report)], { type: "text/csv" }))
  link.download = `usage-${report.from}-to-${report.to}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}

/** A usage report as sums, chart and tables. */
export const UsageReportView = ({ report }: { readonly report: UsageReport }) => {
  const [measure, setMeasure] = useState<"decisions" | "cost">("decisions")
  const [wanted, setKey] = useState("all")
  // A key that the report of another span named may not be in this one.
  const key = usedKeys(report).includes(wanted) ? wanted : "all"
  const days = useMemo(() => daily(report, key === "all" ? undefined : key), [report, key])
  const dates = useMemo(() => days.map(({ date }) => date), [days])
  const values = useMemo(
    () => days.map((day) => (measure === "cost" ? day.costMicros : day.decisions)),
    [days, measure]
  )
  const format = useCallback(
    (value: number) => (measure === "cost" ? money(Math.round(value)) : count(value)),
    [measure]
  )
  const sum = total(days)
  const used = [...days].reverse().filter(({ requests, decisions }) => requests > 0 || decisions > 0)
  return (
    <>
      <section className="usage-head" aria-label="Sum">
        <dl className="figures">
          <div>
            <dt>Decisions</dt>
            <dd data-figure="decisions">{count(sum.decisions)}</dd>
          </div>
          <div>
            <dt>Cost</dt>
            <dd data-figure="cost">{money(sum.costMicros)}</dd>
          </div>
          <div>
            <dt>Requests</dt>
            <dd data-figure="requests">{count(sum.requests)}</dd>
          </div>
        </dl>
        <div className="usage-tools">
          <Select
            label={<span className="hidden">Key</span>}
            value={key}
            onChange={(event) => setKey(event.target.value)}
          >
            <option value="all">All keys</option>
            {usedKeys(report).map((id) => (
              <option key={id} value={id}>
                {keyName(report, id)}
              </option>
            ))}
          </Select>
          <Segmented
            label="Measure"
            value={measure}
            options={[
              ["decisions", "Decisions"],
              ["cost", "Cost"]
            ]}
            onChange={setMeasure}
          />
          <Button onClick={() => download(report)} disabled={report.days.length === 0}>
            CSV
          </Button>
        </div>
      </section>
      {used.length === 0 ? (
        <div className="empty chart">
          <p>Nothing was asked in these days.</p>
          <p className="muted">
            Try a question in the <Link to="/console/playground">playground</Link>, or call the service with a{" "}
            <Link to="/console/keys">key</Link>.
          </p>
        </div>
      ) : (
        <>
          <Suspense fallback={<div className="chart" />}>
            <UsageChart
              dates={dates}
              values={values}
              label={measure === "cost" ? "Cost" : "Decisions"}
              format={format}
            />
          </Suspense>
          <div className="usage-tables">
            <SumsTable caption="By day" first="Day" rows={used.map((day) => [day.date, dayOf(day.date), day])} />
            <SumsTable
              caption="By key"
              first="Key"
              rows={usedKeys(report).map((id) => [id, keyName(report, id), total(daily(report, id))])}
            />
          </div>
        </>
      )}
    </>
  )
}
