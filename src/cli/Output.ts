import { Options } from "@effect/cli"
import { Console, Schema } from "effect"

/** `--json` prints one JSON value per line, for scripts. */
export const json = Options.boolean("json").pipe(Options.withDescription("Print JSON, one value a line"))

type Row = Readonly<Record<string, string | number | boolean | null | undefined>>

const cell = (value: Row[string]) => (value === null || value === undefined ? "–" : String(value))

/** Rows as a table for people: columns as wide as their widest cell, numbers to the right. */
export const table = (rows: ReadonlyArray<Row>): string => {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => cell(row[column]).length)))
  const line = (cells: ReadonlyArray<string>, right: (column: number) => boolean) =>
    cells
      .map((text, i) => (right(i) ? text.padStart(widths[i] ?? 0) : text.padEnd(widths[i] ?? 0)))
      .join("  ")
      .trimEnd()
  const numeric = (i: number) => rows.every((row) => typeof row[columns[i] ?? ""] === "number")
  return [
    line(columns, numeric),
    ...rows.map((row) =>
      line(
        columns.map((column) => cell(row[column])),
        numeric
      )
    )
  ].join("\n")
}

/** Prints a result: encoded as JSON, or as a table of chosen columns. */
export const print = <A, I>(
  asJson: boolean,
  schema: Schema.Schema<A, I>,
  value: A,
  rows: (value: A) => ReadonlyArray<Row>
) => {
  if (asJson) return Console.log(JSON.stringify(Schema.encodeSync(schema)(value)))
  const listed = rows(value)
  return Console.log(listed.length === 0 ? "nothing" : table(listed))
}
