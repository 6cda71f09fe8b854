import { useAction } from "../load.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Problem } from "../ui/Notice.tsx"

/** Somebody else has saved this flow: the person decides whose state stays. */
export const ConflictDialog = ({
  revision,
  onTheirs,
  onMine
}: {
  readonly revision: number
  readonly onTheirs: () => Promise<void>
  readonly onMine: () => Promise<void>
}) => {
  const theirs = useAction(onTheirs)
  const mine = useAction(onMine)
  return (
    <Dialog title="This flow was changed elsewhere">
      <p>
        It was saved in another window or by somebody else and is at revision {revision} now. Your last changes are not
        saved. Nothing has been overwritten.
      </p>
      <p>
        Once theirs is loaded, Undo brings back what you have drawn. What you overwrite with yours does not come back.
      </p>
      <Problem error={theirs.error ?? mine.error} />
      <div className="dialog-actions">
        <Button busy={theirs.busy} onClick={() => theirs.start()}>
          Load theirs
        </Button>
        <Button busy={mine.busy} onClick={() => mine.start()}>
          Overwrite with mine
        </Button>
      </div>
    </Dialog>
  )
}
