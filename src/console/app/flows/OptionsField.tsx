import { useEffect, useState } from "react"
import type { Ask } from "#schema/FlowGraph"
import { OptionsEditor } from "../playground/OptionsEditor.tsx"
import { begun, caveat, edited, stored } from "./options.ts"

/** The options of a question, edited as a list; says which names have changed, so that ways can follow. */
export const OptionsField = ({
  ask,
  noun,
  onChange
}: {
  readonly ask: Ask
  readonly noun: "option" | "level"
  readonly onChange: (options: unknown, renamed: ReadonlyMap<string, string>) => void
}) => {
  const [writing, setWriting] = useState(() => begun(ask.options))
  const { options } = writing
  const kept = JSON.stringify(ask.options ?? [])
  // What is stored changes from elsewhere too, as when something is undone.
  useEffect(() => {
    setWriting((now) => (JSON.stringify(stored(now.options)) === kept ? now : begun(JSON.parse(kept))))
  }, [kept])
  const hint = caveat(options, noun)
  return (
    <div className="field">
      <span className="label">{noun === "option" ? "Options" : "Levels, lowest first"}</span>
      <OptionsEditor
        options={options}
        noun={noun}
        onChange={(next) => {
          const { now, renamed } = edited(writing, next)
          setWriting(now)
          const change = stored(next)
          if (change !== undefined) onChange(change, renamed)
        }}
      />
      {hint === undefined ? null : (
        <p className="hint" role="status">
          {hint}
        </p>
      )}
    </div>
  )
}
