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
  onLoaded,
  onImport
}: {
  readonly open: EditorDialog | undefined
  readonly autosave: Autosave
  readonly content: Content
  readonly onClose: () => void
  /** Goes on with what the service holds: what somebody else has saved, or a version that is the draft again. */
  readonly onLoaded: (answer: CheckedDraft) => void
  readonly onImport: (content: Content) => void
}) => {
  const { draft, faults, saving } = autosave
  if (saving.state === "conflict")
    return (
      <ConflictDialog
        revision={saving.revision}
        onTheirs={async () => onLoaded(await call(({ flowDrafts }) => flowDrafts.getFlow({ path: { id: draft.id } })))}
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
          based={autosave.based}
          onClose={onClose}
          onPublished={(version) => {
            autosave.advance({ ...draft, published_version: version, published_revision: draft.revision })
            onClose()
          }}
        />
      )
    case "versions":
      return (
        <VersionsDialog
          draft={draft}
          based={autosave.based}
          onClose={onClose}
          onRestored={(answer) => {
            onLoaded(answer)
            onClose()
          }}
          onUnpublished={(taken) => {
            autosave.advance(taken)
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
          before={autosave.save}
          based={autosave.based}
          onClose={onClose}
          onRemoved={() => navigate("/console/flows", { replace: true })}
        />
      )
  }
}
