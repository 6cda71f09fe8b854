import type { CheckedDraft } from "#schema/console/Flows"
import { call } from "../api.ts"
import { navigate } from "../router.tsx"
import type { Autosave } from "./autosave.ts"
import { ConflictDialog } from "./ConflictDialog.tsx"
import type { Content } from "./graph.ts"
import { ImportDialog } from "./ImportDialog.tsx"
import { PublishDialog } from "./PublishDialog.tsx"
import { RemoveDialog } from "./RemoveDialog.tsx"
import { VersionsDialog } from "./VersionsDialog.tsx"

/** Which of its dialogs the editor shows. */
export type EditorDialog = "publish" | "versions" | "import" | "remove"

/** The dialog of the editor that is open; a conflict goes before all others. */
export const EditorDialogs = ({
  open,
  autosave,
  content,
  onClose,
  onShow,
  onImport
}: {
  readonly open: EditorDialog | undefined
  readonly autosave: Autosave
  readonly content: Content
  readonly onClose: () => void
  /** Shows another state than the one that is drawn. */
  readonly onShow: (answer: CheckedDraft) => void
  readonly onImport: (content: Content) => void
}) => {
  const { draft, faults, saving } = autosave
  const stored = () => call(({ flowDrafts }) => flowDrafts.getFlow({ path: { id: draft.id } }))
  if (saving.state === "conflict")
    return (
      <ConflictDialog
        revision={saving.revision}
        onTheirs={async () => onShow(await stored())}
        onMine={() => autosave.overwrite(saving.revision)}
      />
    )
  switch (open) {
    case undefined:
      return null
    case "publish":
      return (
        <PublishDialog
          draft={draft}
          content={content}
          faults={faults}
          revision={autosave.revision()}
          onClose={onClose}
          onPublished={async () => {
            autosave.adopt(await stored(), content)
            onClose()
          }}
        />
      )
    case "versions":
      return (
        <VersionsDialog
          draft={draft}
          revision={autosave.revision()}
          onClose={onClose}
          onRestored={(answer) => {
            onShow(answer)
            onClose()
          }}
          onUnpublished={(taken) => {
            autosave.adopt({ draft: taken, faults }, content)
            onClose()
          }}
        />
      )
    case "import":
      return (
        <ImportDialog
          content={content}
          onClose={onClose}
          onImport={(imported) => {
            onImport(imported)
            onClose()
          }}
        />
      )
    case "remove":
      return (
        <RemoveDialog
          draft={draft}
          revision={autosave.revision}
          before={autosave.save}
          onClose={onClose}
          onRemoved={() => navigate("/console/flows", { replace: true })}
        />
      )
  }
}
