import { useState } from "react"
import { call } from "../api.ts"
import { date } from "../format.ts"
import { useAction } from "../load.ts"
import { useAccount, useSession } from "../session.tsx"
import { Button } from "../ui/Button.tsx"
import { TextField } from "../ui/Field.tsx"
import { Note, Problem } from "../ui/Notice.tsx"
import { Page } from "../ui/Page.tsx"

/** Whose account it is, and the change of its password. */
export const AccountPage = () => {
  const account = useAccount()
  const { session, set } = useSession()
  const [changed, setChanged] = useState(false)
  const { start, busy, error } = useAction(async (form: HTMLFormElement) => {
    setChanged(false)
    const typed = new FormData(form)
    const payload = { current: String(typed.get("current")), next: String(typed.get("next")) }
    set(await call(({ password }) => password.changePassword({ payload })))
    form.reset()
    setChanged(true)
  })
  return (
    <Page title="Account">
      <dl className="facts">
        <dt>E-mail</dt>
        <dd>{account.email}</dd>
        <dt>Account</dt>
        <dd>
          <code>{account.id}</code>
        </dd>
        <dt>Since</dt>
        <dd>{date(account.created_at)}</dd>
        <dt>Plan</dt>
        <dd>{account.plan}</dd>
        {session.operator ? (
          <>
            <dt>Role</dt>
            <dd>Operator of this service</dd>
          </>
        ) : null}
      </dl>
      <section>
        <h2>Change password</h2>
        <form
          className="narrow stack"
          onSubmit={(event) => {
            event.preventDefault()
            void start(event.currentTarget)
          }}
        >
          <input type="text" name="username" autoComplete="username" defaultValue={account.email} hidden readOnly />
          <TextField
            label="Current password"
            name="current"
            type="password"
            autoComplete="current-password"
            required
            maxLength={200}
          />
          <TextField
            label="New password"
            name="next"
            type="password"
            autoComplete="new-password"
            required
            minLength={10}
            maxLength={200}
            hint="At least 10 characters. Other browsers are signed out."
          />
          <Problem error={error} />
          {changed ? <Note>Your password is changed.</Note> : null}
          <div>
            <Button kind="primary" type="submit" busy={busy}>
              Change password
            </Button>
          </div>
        </form>
      </section>
    </Page>
  )
}
