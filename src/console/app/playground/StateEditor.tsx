import { count } from "../format.ts"
import { codePoints } from "../length.ts"
import { Segmented, TextArea } from "../ui/Field.tsx"
import { type Draft, restated } from "./draft.ts"

/** What the questions are about: a text, or any JSON. */
export const StateEditor = ({
  draft,
  onChange
}: {
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
}) => (
  <section aria-label="State">
    <header className="section-head">
      <h2>State</h2>
      <Segmented
        label="Kind of state"
        value={draft.stateKind}
        options={[
          ["text", "Text"],
          ["json", "JSON"]
        ]}
        onChange={(kind) => onChange(restated(draft, kind))}
      />
    </header>
    <TextArea
      label={<span className="hidden">State</span>}
      rows={7}
      className={draft.stateKind === "json" ? "code" : ""}
      spellCheck={draft.stateKind === "text"}
      value={draft.state}
      onChange={(event) => onChange({ ...draft, state: event.target.value })}
      hint={`${count(codePoints(draft.state))} characters`}
    />
  </section>
)
