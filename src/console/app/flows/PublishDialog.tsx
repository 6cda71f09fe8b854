import type { FlowDraft } from "#schema/FlowDraft"
import type { FlowFault } from "#schema/FlowFault"
import { call } from "../api.ts"
import { useAction, useLoaded } from "../load.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Problem } from "../ui/Notice.tsx"
import { Waiting } from "../ui/Page.tsx"
import type { Autosave } from "./autosave.ts"
import { changes } from "./diff.ts"
import type { Content } from "./graph.ts"

const Differences = ({ before, after }: { readonly before: Content | undefined; readonly after: Content }) => {
  const found = changes(before, after)
  return found.length === 0 ? (
    <p>Nothing that counts has changed since the version before.</p>
  ) : (
    <ul className="diff" aria-label="Changes">
      {found.map(({ sign, what }) => (
        <li key={`${sign} ${what}`} data-sign={sign}>
          <span aria-hidden="true">{sign}</span>
          <span className="hidden">{sign === "+" ? "added" : sign === "−" ? "removed" : "changed"}</span> {what}
        </li>
      ))}
    </ul>
  )
}

const SinceVersion = ({
  draft,
  version,
  content
}: {
  readonly draft: FlowDraft
  readonly version: number
  readonly content: Content
}) => {
  const { data, error } = useLoaded(
    ({ flowDrafts }) => flowDrafts.getVersion({ path: { id: draft.id, version } }),
    String(version)
  )
  if (data === undefined) return error === undefined ? <Waiting lines={3} /> : <Problem error={error} />
  const { name, description, definition } = data
  return <Differences before={{ name, definition, ...(description === null ? {} : { description }) }} after={content} />
}

/** Shows what a new version changes, and makes it. */
export const PublishDialog = ({
  draft,
  content,
  faults,
  based,
  onClose,
  onPublished
}: {
  readonly draft: FlowDraft
  readonly content: Content
  readonly faults: ReadonlyArray<FlowFault>
  readonly based: Autosave["based"]
  readonly onClose: () => void
  readonly onPublished: (version: number) => void
}) => {
  const { start, busy, error } = useAction(async () => {
    const { version } = await based((revision) =>
      call(({ flowDrafts }) => flowDrafts.publishFlow({ path: { id: draft.id }, payload: { revision } }))
    )
    onPublished(version)
  })
  const last = draft.published_version
  return (
    <Dialog
      title={last === null ? "Publish the first version" : `Publish after version ${last}`}
      onClose={onClose}
      wide
    >
      {faults.length > 0 ? (
        <ul className="fault-list">
          {faults.map(({ code, message }) => (
            <li key={`${code} ${message}`}>{message}</li>
          ))}
        </ul>
      ) : last === null ? (
        <Differences before={undefined} after={content} />
      ) : (
        <SinceVersion draft={draft} version={last} content={content} />
      )}
      <p className="hint">
        From then on <code>/v1/flows/{draft.slug}/run</code> runs this version. Versions never change.
      </p>
      <Problem error={error} />
      <div className="dialog-actions">
        <Button onClick={onClose}>Not yet</Button>
        <Button kind="primary" busy={busy} disabled={faults.length > 0} onClick={() => start()}>
          Publish
        </Button>
      </div>
    </Dialog>
  )
}
