import { useState } from "react"
import type { FlowFault } from "#schema/FlowFault"
import { useAction } from "../load.ts"
import { Button } from "../ui/Button.tsx"
import { Select, TextArea, TextField } from "../ui/Field.tsx"
import { Problem } from "../ui/Notice.tsx"
import { type Content, titleOf } from "./graph.ts"

const Name = ({
  name,
  onChange
}: {
  readonly name: string
  readonly onChange: (to: (content: Content) => Content, topic?: string) => void
}) => {
  // While another is typed, it may be blank for a moment.
  const [blank, setBlank] = useState<string>()
  return (
    <TextField
      label="Name"
      value={blank ?? name}
      required
      maxLength={200}
      hint={blank === undefined ? undefined : `Until you type another it stays “${name}”.`}
      onBlur={() => setBlank(undefined)}
      onChange={(event) => {
        const typed = event.target.value
        const empty = typed.trim() === ""
        setBlank(empty ? typed : undefined)
        if (!empty) onChange((now) => ({ ...now, name: typed }), "name")
      }}
    />
  )
}

/** The flow as a whole: its name, its slug, where it starts and what keeps it from being published. */
export const FlowPanel = ({
  content,
  slug,
  faults,
  onChange,
  onRename,
  onPick
}: {
  readonly content: Content
  readonly slug: string
  readonly faults: ReadonlyArray<FlowFault>
  readonly onChange: (to: (content: Content) => Content, topic?: string) => void
  readonly onRename: (slug: string) => Promise<void>
  readonly onPick: (id: string) => void
}) => {
  const { definition } = content
  const rename = useAction(onRename)
  const questions = definition.nodes.filter(({ kind }) => kind === "ask")
  const start = questions.find(({ id }) => id === definition.start)?.id
  return (
    <section className="panel-body" aria-label="Flow">
      {faults.length === 0 ? (
        <p className="ready">Ready to be published.</p>
      ) : (
        <>
          <h3>To mend before it can be published</h3>
          <ul className="fault-list">
            {faults.map((fault) => {
              const place = fault.edge ?? fault.node
              return (
                <li key={`${fault.code} ${place} ${fault.message}`}>
                  {place === undefined ? (
                    fault.message
                  ) : (
                    <button type="button" className="link" onClick={() => onPick(place)}>
                      {fault.message}
                    </button>
                  )}
                </li>
              )
            })}
          </ul>
        </>
      )}
      <Name name={content.name} onChange={onChange} />
      <TextArea
        label="What it is for"
        rows={3}
        maxLength={2000}
        value={content.description ?? ""}
        onChange={(event) =>
          onChange(
            ({ description: _, ...now }) =>
              event.target.value === "" ? now : { ...now, description: event.target.value },
            "description"
          )
        }
      />
      <Select
        label="Starts at"
        value={start ?? ""}
        onChange={(event) =>
          onChange((now) => ({ ...now, definition: { ...now.definition, start: event.target.value } }))
        }
      >
        {start === undefined ? <option value="">no question yet</option> : null}
        {questions.map((node) => (
          <option key={node.id} value={node.id}>
            {titleOf(node)}
          </option>
        ))}
      </Select>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void rename.start(String(new FormData(event.currentTarget).get("slug")))
        }}
      >
        <TextField
          key={slug}
          label="Slug"
          name="slug"
          defaultValue={slug}
          className="code"
          maxLength={64}
          pattern="[a-z0-9]+(-[a-z0-9]+)*"
          required
          hint={<>/v1/flows/{slug}/run</>}
        />
        <Problem error={rename.error} />
        <div>
          <Button type="submit" className="small" busy={rename.busy}>
            Change the slug
          </Button>
        </div>
      </form>
      <p className="hint keys-hint">
        <kbd>Tab</kbd> goes from node to node, <kbd>Enter</kbd> selects, arrows move, <kbd>Delete</kbd> removes.{" "}
        <kbd>Ctrl Z</kbd> takes back.
      </p>
    </section>
  )
}
