import { useState } from "react"
import { call } from "../api.ts"
import { count, money, time } from "../format.ts"
import { useAction, useLoaded } from "../load.ts"
import { useSession } from "../session.tsx"
import { Button } from "../ui/Button.tsx"
import { EmailField, TextField } from "../ui/Field.tsx"
import { Note, Problem } from "../ui/Notice.tsx"
import { Waiting } from "../ui/Page.tsx"

const GrantForm = ({ onGranted }: { readonly onGranted: () => void }) => {
  const [granted, setGranted] = useState<string>()
  const { start, busy, error } = useAction(async (email: string, usd: number, reference: string) => {
    setGranted(undefined)
    const micros = Math.round(usd * 1_000_000)
    const {
      added,
      balance_micros,
      credited_micros,
      email: whose
    } = await call(({ billing }) => billing.grantCredit({ payload: { email, micros, reference } }))
    const before = added ? "" : `Nothing was added: ${money(credited_micros)} came under this reference before. `
    setGranted(`${before}${whose} has ${money(balance_micros)} now.`)
    onGranted()
  })
  return (
    <details className="more">
      <summary>Grant credit (operator)</summary>
      <form
        className="grant"
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          void start(String(form.get("email")), Number(form.get("usd")), String(form.get("reference")))
        }}
      >
        <EmailField label="E-mail of the account" name="email" autoComplete="off" required />
        <TextField label="US dollars" name="usd" type="number" min="0.01" max="100000" step="0.01" required />
        <TextField
          label="Reference"
          name="reference"
          required
          maxLength={200}
          hint="The same reference counts once per account."
        />
        <Button type="submit" busy={busy}>
          Grant
        </Button>
      </form>
      <Problem error={error} />
      {granted === undefined ? null : <Note>{granted}</Note>}
    </details>
  )
}

/** What is left, and what came in. */
export const Billing = () => {
  const { session } = useSession()
  const { data, error, reload } = useLoaded(({ billing }) => billing.billing())
  if (data === undefined)
    return error === undefined ? (
      <section className="billing">
        <Waiting lines={3} />
      </section>
    ) : (
      <Problem error={error} />
    )
  const { account, credits } = data
  const free = account.balance_micros - account.reserved_micros
  return (
    <section className="billing" aria-label="Balance">
      <dl className="figures">
        <div>
          <dt>Balance</dt>
          <dd data-figure="balance">{money(account.balance_micros)}</dd>
        </div>
        <div>
          <dt>Enough for</dt>
          <dd>
            {session.price_micros === 0 ? "any number of" : count(Math.floor(free / session.price_micros))}{" "}
            <small>decisions</small>
          </dd>
        </div>
        <div>
          <dt>Plan</dt>
          <dd>
            {account.plan} <small>at {money(session.price_micros)} a decision</small>
          </dd>
        </div>
      </dl>
      <details className="more">
        <summary>Credit history ({credits.length})</summary>
        {credits.length === 0 ? (
          <p className="muted">No credit has come in yet.</p>
        ) : (
          <table>
            <caption className="hidden">Credits</caption>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">What for</th>
                <th scope="col" className="number">
                  Amount
                </th>
              </tr>
            </thead>
            <tbody>
              {credits.map(({ id, created_at, reference, micros }) => (
                <tr key={id}>
                  <td>{time(created_at)}</td>
                  <td>{reference}</td>
                  <td className="number">{money(micros)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </details>
      {session.operator ? <GrantForm onGranted={reload} /> : null}
    </section>
  )
}
