import { useEffect, useState } from "react"
import type { Ask } from "#schema/FlowGraph"
import { type DraftOption, option } from "../playground/draft.ts"
import { OptionsEditor } from "../playground/OptionsEditor.tsx"

const read = (options: unknown): ReadonlyArray<DraftOption> => {
  if (Array.isArray(options)) return options.map((name) => option(String(name)))
  if (typeof options !== "object" || options === null) return []
  return Object.entries(options).map(([name, description]) =>
    option(name, typeof description === "string" ? description : "")
  )
}

/** A map cannot hold two options of one name: while there are, the names alone are kept. */
const written = (options: ReadonlyArray<DraftOption>): unknown => {
  const names = options.map(({ name }) => name)
  return options.every(({ description }) => description === "") || new Set(names).size < names.length
    ? names
    : Object.fromEntries(options.map(({ name, description }) => [name, description === "" ? null : description]))
}

/** The options of a question, edited as a list; says what was renamed, so that ways can follow. */
export const OptionsField = ({
  ask,
  noun,
  onChange
}: {
  readonly ask: Ask
  readonly noun: "option" | "level"
  readonly onChange: (options: unknown, renamed: readonly [from: string, to: string] | undefined) => void
}) => {
  const [options, setOptions] = useState(() => read(ask.options))
  const stored = JSON.stringify(ask.options ?? [])
  // What is stored changes from elsewhere too, as when something is undone.
  useEffect(() => {
    setOptions((shown) => (JSON.stringify(written(shown)) === stored ? shown : read(JSON.parse(stored))))
  }, [stored])
  return (
    <div className="field">
      <span className="label">{noun === "option" ? "Options" : "Levels, lowest first"}</span>
      <OptionsEditor
        options={options}
        noun={noun}
        onChange={(next) => {
          const changed = next.filter(({ key, name }) => options.some((old) => old.key === key && old.name !== name))
          const [one] = changed
          const before = options.find(({ key }) => key === one?.key)
          setOptions(next)
          onChange(
            written(next),
            one !== undefined && before !== undefined && changed.length === 1 ? [before.name, one.name] : undefined
          )
        }}
      />
    </div>
  )
}
