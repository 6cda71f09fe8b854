import { call } from "./api.ts"
import { useAction } from "./load.ts"
import { mayLeave } from "./router.tsx"
import { useAccount, useSession } from "./session.tsx"
import { Button } from "./ui/Button.tsx"
import { Dialog } from "./ui/Dialog.tsx"
import { TextField } from "./ui/Field.tsx"
import { Problem } from "./ui/Notice.tsx"

/** Asks for the password again above the page, so that nothing that was being written is lost. */
export const SignInAgain = () => {
  const { session, set } = useSession()
  const { email } = useAccount()
  const { start, busy, error } = useAction(async (password: string) =>
    set(await call(({ session }) => session.signIn({ payload: { email, password } })))
  )
  return (
    <Dialog title="Your session has ended">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void start(String(new FormData(event.currentTarget).get("password")))
        }}
      >
        <p>Sign in again as {email} to go on. What is on this page stays as it is.</p>
        <input type="text" name="username" autoComplete="username" defaultValue={email} hidden readOnly />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          autoFocus
        />
        <Problem error={error} />
        <div className="dialog-actions">
          <Button
            onClick={async () => {
              if (await mayLeave()) set({ ...session, account: null, operator: false })
            }}
          >
            Leave
          </Button>
          <Button kind="primary" type="submit" busy={busy}>
            Sign in
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
