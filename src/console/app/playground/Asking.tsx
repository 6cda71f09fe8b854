import { useRef } from "react"
import type { TemplateCard } from "#schema/console/Catalogue"
import { useLoaded } from "../load.ts"
import { Button } from "../ui/Button.tsx"
import { Segmented, Select } from "../ui/Field.tsx"
import { Problem } from "../ui/Notice.tsx"
import { type Draft, option, question } from "./draft.ts"
import { QuestionEditor } from "./QuestionEditor.tsx"

const mostQuestions = 32

const free = (draft: Draft) => {
  const taken = new Set(draft.questions.map(({ id }) => id))
  let n = draft.questions.length + 1
  while (taken.has(`question_${n}`)) n++
  return `question_${n}`
}

/** What is asked: own questions or a template, and of which model. */
export const Asking = ({
  draft,
  onChange,
  templates,
  template
}: {
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
  readonly templates: ReadonlyArray<TemplateCard>
  readonly template: TemplateCard | undefined
}) => {
  const { data, error, reload } = useLoaded(({ catalogue }) => catalogue.listModels())
  const names = ["svc-auto", ...(data?.models.map(({ name }) => name).filter((name) => name !== "svc-auto") ?? [])]
  const section = useRef<HTMLElement>(null)
  const remove = (place: number) => {
    onChange({ ...draft, questions: draft.questions.filter((_, i) => i !== place) })
    // The focus goes on to the next one, or to what adds another.
    requestAnimationFrame(() =>
      section.current?.querySelectorAll<HTMLButtonElement>(".question-head > .button, :scope > .button")[place]?.focus()
    )
  }
  return (
    <section aria-label="Questions" ref={section}>
      <header className="section-head">
        <h2>{draft.asking === "template" ? "Template" : "Questions"}</h2>
        <Segmented
          label="What to ask"
          value={draft.asking}
          options={[
            ["questions", "Own questions"],
            ["template", "Template"]
          ]}
          onChange={(asking) => onChange({ ...draft, asking })}
        />
      </header>
      {draft.asking === "template" ? (
        <div className="stack">
          <Select
            label="Template"
            value={draft.template}
            onChange={(event) => onChange({ ...draft, template: event.target.value })}
            hint={template?.description}
          >
            {templates.map(({ template, name }) => (
              <option key={template} value={template}>
                {name}
              </option>
            ))}
          </Select>
          {template === undefined ? null : (
            <p>
              <Button
                className="small"
                onClick={() => onChange({ ...draft, stateKind: "text", state: template.example })}
              >
                Use its example text
              </Button>
            </p>
          )}
        </div>
      ) : (
        <>
          {draft.questions.map((one, place) => (
            <QuestionEditor
              key={one.key}
              question={one}
              onChange={(next) =>
                onChange({ ...draft, questions: draft.questions.map((old) => (old.key === one.key ? next : old)) })
              }
              onRemove={() => remove(place)}
            />
          ))}
          <Button
            disabled={draft.questions.length >= mostQuestions}
            onClick={() =>
              onChange({
                ...draft,
                questions: [...draft.questions, question(free(draft), { options: [option(""), option("")] })]
              })
            }
          >
            Add a question
          </Button>
        </>
      )}
      <div className="pair model-row">
        <Select
          label="Model"
          value={draft.model}
          onChange={(event) => onChange({ ...draft, model: event.target.value })}
        >
          {(names.includes(draft.model) ? names : [draft.model, ...names]).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
        <label className="check">
          <input
            type="checkbox"
            checked={draft.cache}
            onChange={(event) => onChange({ ...draft, cache: event.target.checked })}
          />
          Take answers from the cache
        </label>
      </div>
      <Problem error={error} onRetry={reload} />
    </section>
  )
}
