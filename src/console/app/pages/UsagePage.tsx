import { useState } from "react"
import { useLoaded } from "../load.ts"
import { Segmented } from "../ui/Field.tsx"
import { Problem } from "../ui/Notice.tsx"
import { Page, Waiting } from "../ui/Page.tsx"
import { Billing } from "./Billing.tsx"
import { UsageReportView } from "./UsageReportView.tsx"

/** Balance and credits, and what was used in the last 7, 30 or 90 days of UTC, by day and key. */
const UsagePage = () => {
  const [days, setDays] = useState<"7" | "30" | "90">("30")
  const { data, error } = useLoaded(({ billing }) => billing.usage({ urlParams: { days: Number(days) } }), days)
  return (
    <Page
      title="Usage & billing"
      about="What was asked and what it cost, by day and by key. Days are UTC."
      actions={
        <Segmented
          label="Days"
          value={days}
          options={[
            ["7", "7 days"],
            ["30", "30 days"],
            ["90", "90 days"]
          ]}
          onChange={setDays}
        />
      }
    >
      <Billing />
      <Problem error={error} />
      {data === undefined ? error === undefined ? <Waiting lines={8} /> : null : <UsageReportView report={data} />}
    </Page>
  )
}

export default UsagePage
