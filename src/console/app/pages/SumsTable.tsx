import { count, money } from "../format.ts"
import type { Day } from "./usageSeries.ts"

/** What was asked and what it cost, a row for each id: a name, and the sums behind it. */
export const SumsTable = ({
  caption,
  first,
  rows
}: {
  readonly caption: string
  readonly first: string
  readonly rows: ReadonlyArray<readonly [id: string, name: string, sums: Omit<Day, "date">]>
}) => (
  <table>
    <caption>{caption}</caption>
    <thead>
      <tr>
        <th scope="col">{first}</th>
        {["Requests", "Decisions", "Cost"].map((title) => (
          <th key={title} scope="col" className="number">
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(([id, name, { requests, decisions, costMicros }]) => (
        <tr key={id}>
          <th scope="row">{name}</th>
          <td className="number">{count(requests)}</td>
          <td className="number">{count(decisions)}</td>
          <td className="number">{money(costMicros)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
