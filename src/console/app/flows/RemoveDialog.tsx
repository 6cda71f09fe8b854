import type { FlowDraft } from "#schema/FlowDraft"
import { call } from "../api.ts"
import { useAction } from "../load.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Problem } from "../ui/Notice.tsx"
import type { Autosave } from "./autosave.ts"

/** Asks once more before a flow is gone. */
export const RemoveDialog = ({
  draft,
  before,
  based,
  onClose,
  onRemoved
}: {
  readonly draft: FlowDraft
  readonly before: () => Promise<unknown>
  readonly based: Autosave["based"]
  readonly onClose: () => void
  readonly onRemoved: () => void
}) => {
  const { start, busy, error } = useAction(async () => {
    // What could not be saved does not matter any more.
    await before()
    await based((revision) =>
      call(({ flowDrafts }) => flowDrafts.removeFlow({ path: { id: draft.id }, payload: { revision } }))
    )
    onRemoved()
  })
  return (
    <Dialog title={`Delete “${draft.name}”?`} onClose={onClose}>
      <p>
        Requests to <code>/v1/flows/{draft.slug}/run</code> get 404 from now on. This cannot be undone.
      </p>
      <Problem error={error} />
      <div className="dialog-actions">
        <Button onClick={onClose}>Keep it</Button>
        <Button kind="danger" busy={busy} onClick={() => start()}>
          Delete the flow
        </Button>
      </div>
    </Dialog>
  )
}
