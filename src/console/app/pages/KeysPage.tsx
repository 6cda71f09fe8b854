import { useState } from "react"
import type { CreatedKey, KeyWithUse } from "#schema/console/Keys"
import { count, date, time } from "../format.ts"
import { useLoaded } from "../load.ts"
import { Button } from "../ui/Button.tsx"
import { Problem } from "../ui/Notice.tsx"
import { Page, Waiting } from "../ui/Page.tsx"
import { ScrollFrame } from "../ui/ScrollFrame.tsx"
import { CreateKeyDialog, RevokeKeyDialog, SecretDialog } from "./KeyDialogs.tsx"

const mostActive = 25

const KeyRow = ({ item, onRevoke }: { readonly item: KeyWithUse; readonly onRevoke?: () => void }) => (
  <tr>
    <th scope="row">{item.name}</th>
    <td data-label="Key">
      <code>{item.hint}</code>
    </td>
    <td data-label="Created">{date(item.created_at)}</td>
    <td data-label="Last used">
      {item.last_used_at === null ? <span className="muted">never</span> : time(item.last_used_at)}
    </td>
    <td className="number" data-label="Requests, 30 d">
      {count(item.requests)}
    </td>
    <td className="number" data-label="Decisions, 30 d">
      {count(item.decisions)}
    </td>
    {onRevoke === undefined ? (
      <td data-label="Revoked">{item.revoked_at === null ? "" : date(item.revoked_at)}</td>
    ) : (
      <td className="number act">
        <Button kind="quiet" className="small" onClick={onRevoke} aria-label={`Revoke ${item.name}`}>
          Revoke
        </Button>
      </td>
    )}
  </tr>
)

const KeyTable = ({
  caption,
  keys,
  onRevoke
}: {
  readonly caption: string
  readonly keys: ReadonlyArray<KeyWithUse>
  readonly onRevoke?: (key: KeyWithUse) => void
}) => (
  <ScrollFrame label={caption} cards>
    <table>
      <caption className="hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Key</th>
          <th scope="col">Created</th>
          <th scope="col">Last used</th>
          <th scope="col" className="number">
            Requests, 30 d
          </th>
          <th scope="col" className="number">
            Decisions, 30 d
          </th>
          <th scope="col">{onRevoke === undefined ? "Revoked" : <span className="hidden">Action</span>}</th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyRow key={key.id} item={key} {...(onRevoke === undefined ? {} : { onRevoke: () => onRevoke(key) })} />
        ))}
      </tbody>
    </table>
  </ScrollFrame>
)

/** The API keys of the account with their use in 30 days; makes and revokes them. */
export const KeysPage = () => {
  const { data, error, reload } = useLoaded(({ keys }) => keys.listKeys())
  const [creating, setCreating] = useState(false)
  const [created, setCreated] = useState<CreatedKey>()
  const [revoking, setRevoking] = useState<KeyWithUse>()
  const active = data?.keys.filter(({ revoked_at }) => revoked_at === null) ?? []
  const revoked = data?.keys.filter(({ revoked_at }) => revoked_at !== null) ?? []
  return (
    <Page
      title="Keys"
      about="A key lets a server of yours ask the service. Use one per environment: usage is counted per key."
      actions={
        <Button kind="primary" onClick={() => setCreating(true)}>
          Create key
        </Button>
      }
    >
      <Problem error={error} />
      {data === undefined ? (
        error === undefined ? (
          <Waiting />
        ) : null
      ) : active.length === 0 ? (
        <div className="empty">
          <p>No active key yet.</p>
          <p className="muted">Create one, then call the service from a server with it. It is shown once.</p>
        </div>
      ) : (
        <KeyTable caption="Active keys" keys={active} onRevoke={setRevoking} />
      )}
      {data === undefined ? null : (
        <p className="hint">
          {active.length} of {mostActive} active keys
        </p>
      )}
      {revoked.length === 0 ? null : (
        <details className="more">
          <summary>Revoked keys ({revoked.length})</summary>
          <KeyTable caption="Revoked keys" keys={revoked} />
        </details>
      )}
      {creating ? (
        <CreateKeyDialog
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false)
            setCreated(key)
            reload()
          }}
        />
      ) : null}
      {created === undefined ? null : <SecretDialog created={created} onClose={() => setCreated(undefined)} />}
      {revoking === undefined ? null : (
        <RevokeKeyDialog
          item={revoking}
          onClose={() => setRevoking(undefined)}
          onRevoked={() => {
            setRevoking(undefined)
            reload()
          }}
        />
      )}
    </Page>
  )
}
