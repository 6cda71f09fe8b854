import type { CreatedKey, KeyWithUse } from "#schema/console/Keys"
import { call } from "../api.ts"
import { useAction } from "../load.ts"
import { Button } from "../ui/Button.tsx"
import { Copy } from "../ui/Copy.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { TextField } from "../ui/Field.tsx"
import { Problem } from "../ui/Notice.tsx"

/** Asks for the name of a new key. */
export const CreateKeyDialog = ({
  onClose,
  onCreated
}: {
  readonly onClose: () => void
  readonly onCreated: (key: CreatedKey) => void
}) => {
  const { start, busy, error } = useAction(async (name: string) =>
    onCreated(await call(({ keys }) => keys.createKey({ payload: { name } })))
  )
  return (
    <Dialog title="Create a key" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void start(String(new FormData(event.currentTarget).get("name")))
        }}
      >
        <TextField
          label="Name"
          name="name"
          required
          maxLength={100}
          autoFocus
          placeholder="production"
          hint="Where the key will be used."
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

/** Shows a new key, this once: it stays until the person is done with it. */
export const SecretDialog = ({ created, onClose }: { readonly created: CreatedKey; readonly onClose: () => void }) => (
  <Dialog title={`Key “${created.name}”`}>
    <p>Copy the key now. It is not shown again; only a hash of it is kept.</p>
    <p className="secret">
      <code>{created.secret}</code>
    </p>
    <div className="dialog-actions">
      <Button onClick={onClose}>Done</Button>
      <Copy text={created.secret} what="key" prominent />
    </div>
  </Dialog>
)

/** Asks once more before a key stops working. */
export const RevokeKeyDialog = ({
  item,
  onClose,
  onRevoked
}: {
  readonly item: KeyWithUse
  readonly onClose: () => void
  readonly onRevoked: () => void
}) => {
  const { start, busy, error } = useAction(async () => {
    await call(({ keys }) => keys.revokeKey({ path: { id: item.id } }))
    onRevoked()
  })
  return (
    <Dialog title={`Revoke “${item.name}”?`} onClose={onClose}>
      <p>
        Requests with <code>{item.hint}</code> get 401 from now on. This cannot be undone.
      </p>
      <Problem error={error} />
      <div className="dialog-actions">
        <Button onClick={onClose}>Keep it</Button>
        <Button kind="danger" busy={busy} onClick={() => start()}>
          Revoke key
        </Button>
      </div>
    </Dialog>
  )
}
