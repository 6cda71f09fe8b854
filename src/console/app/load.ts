import type { Effect } from "effect"
import { useCallback, useEffect, useRef, useState } from "react"
import { type Api, asFailure, call, type Failure } from "./api.ts"
import { useSession } from "./session.tsx"

/** What the service answers, kept while it is asked again; `key` names what the request depends on. */
export const useLoaded = <A, E>(ask: (api: Api) => Effect.Effect<A, E>, key = "") => {
  const [state, setState] = useState<{
    readonly data?: A
    readonly error?: Failure
    readonly loading: boolean
  }>({
    loading: true
  })
  const [round, setRound] = useState(0)
  const latest = useRef(ask)
  latest.current = ask
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the request, `round` asks again
  useEffect(() => {
    const abort = new AbortController()
    setState(({ data }) => ({ ...(data === undefined ? {} : { data }), loading: true }))
    call(latest.current, { signal: abort.signal }).then(
      (data) => setState({ data, loading: false }),
      (error: unknown) => {
        if (!abort.signal.aborted)
          setState(({ data }) => ({ ...(data === undefined ? {} : { data }), error: asFailure(error), loading: false }))
      }
    )
    return () => abort.abort()
  }, [key, round])
  const reload = useCallback(() => setRound((n) => n + 1), [])
  const { ended } = useSession()
  const failed = state.error !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was refused without a session is asked again once there is one
  useEffect(() => {
    if (!ended && failed) reload()
  }, [ended])
  return { ...state, reload }
}

/** Something the person started: whether it runs, and how it failed. */
export const useAction = <Args extends ReadonlyArray<unknown>>(run: (...args: Args) => Promise<void>) => {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Failure>()
  const latest = useRef(run)
  latest.current = run
  const start = useCallback(async (...args: Args) => {
    setBusy(true)
    setError(undefined)
    try {
      await latest.current(...args)
    } catch (cause) {
      setError(asFailure(cause))
    } finally {
      setBusy(false)
    }
  }, [])
  return { start, busy, error, clear: useCallback(() => setError(undefined), []) }
}
