import type { FlowDraft } from "#schema/FlowDraft"
import { Link } from "../router.tsx"
import { Button, IconButton } from "../ui/Button.tsx"
import { Menu } from "../ui/Menu.tsx"
import type { Saving } from "./autosave.ts"

const words = (saving: Saving) => {
  switch (saving.state) {
    case "saved":
      return "Saved"
    case "waiting":
    case "saving":
      return "Saving…"
    case "failed":
      return "Not saved"
    case "conflict":
      return "Changed elsewhere"
  }
}

/** What can be done with the flow as a whole. */
export const Toolbar = ({
  name,
  draft,
  saving,
  faults,
  history,
  onAsk,
  onEnd,
  onTidy,
  onPublish,
  onVersions,
  onImport,
  onExport,
  onRemove
}: {
  readonly name: string
  readonly draft: FlowDraft
  readonly saving: Saving
  readonly faults: number
  readonly history: {
    readonly canUndo: boolean
    readonly canRedo: boolean
    readonly undo: () => void
    readonly redo: () => void
  }
  readonly onAsk: () => void
  readonly onEnd: () => void
  readonly onTidy: () => void
  readonly onPublish: () => void
  readonly onVersions: () => void
  readonly onImport: () => void
  readonly onExport: () => void
  readonly onRemove: () => void
}) => (
  <header className="toolbar">
    <div className="toolbar-name">
      <Link to="/console/flows" aria-label="All flows">
        ←
      </Link>
      <h1>{name}</h1>
      <span className="save-state" role="status" data-state={saving.state}>
        {words(saving)}
      </span>
      <span className="hint">
        {draft.published_version === null ? "not published" : `version ${draft.published_version}`}
        {faults > 0 ? ` · ${faults} to mend` : ""}
      </span>
    </div>
    <div className="toolbar-tools">
      <Button onClick={onAsk}>+ Question</Button>
      <Button onClick={onEnd}>+ Outcome</Button>
      <Button onClick={onTidy}>Tidy</Button>
      <span className="pairing">
        <IconButton label="Undo" disabled={!history.canUndo} onClick={history.undo}>
          ↶
        </IconButton>
        <IconButton label="Redo" disabled={!history.canRedo} onClick={history.redo}>
          ↷
        </IconButton>
      </span>
      <Menu label="More">
        <Button kind="quiet" onClick={onVersions}>
          Versions
        </Button>
        <Button kind="quiet" onClick={onImport}>
          Import JSON
        </Button>
        <Button kind="quiet" onClick={onExport}>
          Export JSON
        </Button>
        <Button kind="quiet" onClick={onRemove}>
          Delete the flow
        </Button>
      </Menu>
      <Button kind="primary" onClick={onPublish}>
        Publish
      </Button>
    </div>
  </header>
)
