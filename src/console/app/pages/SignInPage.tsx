import { useEffect, useState } from "react"
import { call } from "../api.ts"
import { useAction } from "../load.ts"
import { Mark } from "../Shell.tsx"
import { useSession } from "../session.tsx"
import { Button } from "../ui/Button.tsx"
import { EmailField, TextField } from "../ui/Field.tsx"
import { Problem } from "../ui/Notice.tsx"

/** Stands before all pages where nobody is signed in: signing in and, where the service lets strangers, signing up. */
export const SignInPage = () => {
  const { session, set } = useSession()
  const [fresh, setFresh] = useState(false)
  const { start, busy, error, clear } = useAction(async (email: string, password: string) => {
    const payload = { email, password }
    set(
      await (fresh
        ? call(({ session }) => session.signUp({ payload }))
        : call(({ session }) => session.signIn({ payload })))
    )
  })
  useEffect(() => {
    document.title = `${fresh ? "Sign up" : "Sign in"} · Typed decisions`
  }, [fresh])
  return (
    <main className="door" id="main">
      <div className="door-sign">
        <p className="wordmark">
          <Mark /> Typed decisions
        </p>
        <p className="door-words">Ask a text a question. Get one answer, and how sure it is.</p>
        <ul className="door-bars" aria-hidden="true">
          <li>refund</li>
          <li>billing</li>
          <li>other</li>
        </ul>
      </div>
      <form
        className="door-form"
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          void start(String(form.get("email")), String(form.get("password")))
        }}
      >
        <h1>{fresh ? "Make an account" : "Sign in"}</h1>
        <EmailField label="E-mail" name="email" autoComplete="username" required maxLength={254} />
        <TextField
          key={String(fresh)}
          label="Password"
          name="password"
          type="password"
          autoComplete={fresh ? "new-password" : "current-password"}
          required
          minLength={fresh ? 10 : undefined}
          maxLength={200}
          hint={fresh ? "At least 10 characters." : undefined}
        />
        <Problem error={error} />
        <Button kind="primary" type="submit" busy={busy}>
          {fresh ? "Sign up" : "Sign in"}
        </Button>
        {session.sign_up ? (
          <p className="door-other">
            {fresh ? "You have an account?" : "No account yet?"}{" "}
            <button
              type="button"
              className="link"
              onClick={() => {
                clear()
                setFresh(!fresh)
              }}
            >
              {fresh ? "Sign in" : "Sign up"}
            </button>
          </p>
        ) : null}
        <p className="door-other">
          <a href="/docs">Read the docs</a>
        </p>
      </form>
    </main>
  )
}
