import { useState } from "react"
import { call } from "../api.ts"
import { useAction } from "../load.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { TextField } from "../ui/Field.tsx"
import { Problem } from "../ui/Notice.tsx"
import type { Content } from "./graph.ts"
import { slugOf } from "./slug.ts"

/** Asks for the name and the slug of a new flow. */
export const NewFlowDialog = ({
  empty,
  onClose,
  onCreated
}: {
  readonly empty: Content
  readonly onClose: () => void
  readonly onCreated: (id: string) => void
}) => {
  const [name, setName] = useState("")
  const [written, setSlug] = useState<string>()
  const slug = written ?? slugOf(name)
  const { start, busy, error } = useAction(async () => {
    const { id } = await call(({ flowDrafts }) =>
      flowDrafts.createFlow({ payload: { slug, content: { ...empty, name } } })
    )
    onCreated(id)
  })
  return (
    <Dialog title="New flow" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void start()
        }}
      >
        <TextField
          label="Name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          required
          maxLength={200}
          autoFocus
        />
        <TextField
          label="Slug"
          className="code"
          value={slug}
          onChange={(event) => setSlug(event.target.value)}
          required
          maxLength={64}
          pattern="[a-z0-9]+(-[a-z0-9]+)*"
          hint={`It is run at /v1/flows/${slug || "…"}/run.`}
        />
        <Problem error={error} />
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={busy}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
