import type { SqlClient } from "@effect/sql/SqlClient"

/** A column that holds a moment, as answers write one: in UTC, to the millisecond. */
export const iso = (sql: SqlClient, column: string, name = column) =>
  sql`to_char(${sql(column)} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${sql(name)}`
