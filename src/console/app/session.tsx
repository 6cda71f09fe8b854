import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react"
import type { Account } from "#schema/Account"
import type { Session } from "#schema/console/Session"
import { actFor, asFailure, call, type Failure, onSessionEnd } from "./api.ts"
import { Problem } from "./ui/Notice.tsx"

interface SessionState {
  readonly session: Session
  /** The service no longer knows the session; what is on the page is still there. */
  readonly ended: boolean
  readonly set: (session: Session) => void
}

const Current = createContext<SessionState | undefined>(undefined)

/** Asks who is signed in before anything is drawn. */
export const SessionProvider = ({ children }: { readonly children: ReactNode }) => {
  const [session, setSession] = useState<Session>()
  const show = useCallback((next: Session) => {
    // Who comes next to this browser does not find what was written before.
    if (next.account === null) sessionStorage.clear()
    actFor(next.account?.id)
    setSession(next)
  }, [])
  const [failed, setFailed] = useState<Failure>()
  const [ended, setEnded] = useState(false)
  useEffect(() => {
    call(({ session }) => session.currentSession()).then(show, (error: unknown) => setFailed(asFailure(error)))
    onSessionEnd(() => setEnded(true))
  }, [show])
  const state = useMemo(() => {
    const set = (next: Session) => {
      show(next)
      setEnded(false)
    }
    return session === undefined ? undefined : { session, ended, set }
  }, [session, ended, show])
  if (failed !== undefined)
    return (
      <main className="offline">
        <Problem error={failed} onRetry={() => location.reload()} />
      </main>
    )
  return state === undefined ? null : <Current value={state}>{children}</Current>
}

/** The session, and a way to replace it. */
export const useSession = (): SessionState => {
  const state = useContext(Current)
  if (state === undefined) throw new Error("There is no session around this.")
  return state
}

/** The account that is signed in; only for pages that are shown to one. */
export const useAccount = (): Account => {
  const { account } = useSession().session
  if (account === null) throw new Error("Nobody is signed in.")
  return account
}
