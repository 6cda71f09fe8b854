import { Button } from "../ui/Button.tsx"
import { Segmented, TextArea, TextField } from "../ui/Field.tsx"
import { type DraftQuestion, option } from "./draft.ts"
import { OptionsEditor } from "./OptionsEditor.tsx"

const kinds = [
  ["choice", "Choice"],
  ["noul", "Yes / no"],
  ["score", "Score"]
] as const

/** One question as a form. */
export const QuestionEditor = ({
  question,
  onChange,
  onRemove
}: {
  readonly question: DraftQuestion
  readonly onChange: (question: DraftQuestion) => void
  readonly onRemove: () => void
}) => {
  const set = (part: Partial<DraftQuestion>) => onChange({ ...question, ...part })
  const { id, type, instructions, options, yes, no } = question
  return (
    <fieldset className="question">
      <legend>{id === "" ? "Question" : id}</legend>
      <div className="question-head">
        <TextField label="Id" value={id} onChange={(event) => set({ id: event.target.value })} className="code" />
        <Segmented
          label={`Type of ${id}`}
          value={type}
          options={kinds}
          onChange={(kind) =>
            set({ type: kind, options: kind !== "noul" && options.length === 0 ? [option(""), option("")] : options })
          }
        />
        <Button kind="quiet" className="small" onClick={onRemove} aria-label={`Remove question ${id}`}>
          Remove
        </Button>
      </div>
      <TextArea
        label="Question"
        rows={2}
        maxLength={8000}
        value={instructions}
        onChange={(event) => set({ instructions: event.target.value })}
      />
      {type === "noul" ? (
        <div className="pair">
          <TextField label="Yes means (optional)" value={yes} onChange={(event) => set({ yes: event.target.value })} />
          <TextField label="No means (optional)" value={no} onChange={(event) => set({ no: event.target.value })} />
        </div>
      ) : (
        <div className="field">
          <span className="label">{type === "choice" ? "Options" : "Levels, lowest first"}</span>
          <OptionsEditor
            options={options}
            noun={type === "choice" ? "option" : "level"}
            onChange={(next) => set({ options: next })}
          />
        </div>
      )}
    </fieldset>
  )
}
