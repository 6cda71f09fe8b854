import { useState } from "react"
import type { CheckedDraft } from "#schema/console/Flows"
import type { FlowDraft } from "#schema/FlowDraft"
import { call } from "../api.ts"
import { plural, time } from "../format.ts"
import { useAction, useLoaded } from "../load.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Problem } from "../ui/Notice.tsx"
import { Waiting } from "../ui/Page.tsx"
import type { Autosave } from "./autosave.ts"

/** Asks once more before the requests of a flow are refused. */
const Offline = ({
  slug,
  busy,
  onConfirmed
}: {
  readonly slug: string
  readonly busy: boolean
  readonly onConfirmed: () => void
}) => {
  const [asked, setAsked] = useState(false)
  return asked ? (
    <>
      <p className="hint" role="alert">
        Requests to <code>/v1/flows/{slug}/run</code> get 404 until it is published again.
      </p>
      <Button kind="quiet" autoFocus onClick={() => setAsked(false)}>
        Keep it
      </Button>
      <Button kind="danger" busy={busy} onClick={onConfirmed}>
        Take it offline
      </Button>
    </>
  ) : (
    <Button kind="quiet" onClick={() => setAsked(true)}>
      Take offline
    </Button>
  )
}

/** The versions that were published; any of them can be the draft again. */
export const VersionsDialog = ({
  draft,
  based,
  onClose,
  onRestored,
  onUnpublished
}: {
  readonly draft: FlowDraft
  readonly based: Autosave["based"]
  readonly onClose: () => void
  readonly onRestored: (restored: CheckedDraft) => void
  readonly onUnpublished: (draft: FlowDraft) => void
}) => {
  const { data, error } = useLoaded(({ flowDrafts }) => flowDrafts.listVersions({ path: { id: draft.id } }))
  const restore = useAction(async (version: number) =>
    onRestored(
      await based((revision) =>
        call(({ flowDrafts }) => flowDrafts.restoreVersion({ path: { id: draft.id, version }, payload: { revision } }))
      )
    )
  )
  const unpublish = useAction(async () =>
    onUnpublished(
      await based((revision) =>
        call(({ flowDrafts }) => flowDrafts.unpublishFlow({ path: { id: draft.id }, payload: { revision } }))
      )
    )
  )
  return (
    <Dialog title="Versions" onClose={onClose} wide>
      <Problem error={error ?? restore.error ?? unpublish.error} />
      {data === undefined ? (
        error === undefined ? (
          <Waiting lines={3} />
        ) : null
      ) : data.versions.length === 0 ? (
        <p className="muted">Nothing has been published yet.</p>
      ) : (
        <ol className="versions">
          {data.versions.map(({ version, name, published_at, questions, outcomes }) => (
            <li key={version}>
              <div>
                <strong>
                  Version {version}
                  {version === draft.published_version ? " · runs now" : ""}
                </strong>
                <p className="hint">
                  {name} · {time(published_at)} · {plural(questions, "question")}, {plural(outcomes.length, "outcome")}
                </p>
              </div>
              {version === draft.published_version ? (
                <Offline slug={draft.slug} busy={unpublish.busy} onConfirmed={() => unpublish.start()} />
              ) : null}
              <Button
                busy={restore.busy}
                onClick={() => restore.start(version)}
                aria-label={`Restore version ${version}`}
              >
                Restore
              </Button>
            </li>
          ))}
        </ol>
      )}
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}
