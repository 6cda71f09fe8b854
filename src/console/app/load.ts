import { useCallback, useEffect, useRef, useState } from "react"
import { call, type EndpointName, Failure, type Request, type Success } from "./api.ts"

const asFailure = (error: unknown): Failure =>
  error instanceof Failure
    ? error
    : new Failure(0, "error", "Something went wrong in this page. Reload it.", null, null)

/** What an endpoint answers, kept while it is asked again; `key` names what the request depends on. */
export const useLoaded = <Name extends EndpointName>(name: Name, request: Request<Name>, key = "") => {
  const [state, setState] = useState<{
    readonly data?: Success<Name>
    readonly error?: Failure
    readonly loading: boolean
  }>({
    loading: true
  })
  const [round, setRound] = useState(0)
  const latest = useRef(request)
  latest.current = request
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the request, `round` asks again
  useEffect(() => {
    const abort = new AbortController()
    setState(({ data }) => ({ ...(data === undefined ? {} : { data }), loading: true }))
    call(name, latest.current, abort.signal).then(
      (data) => setState({ data, loading: false }),
      (error: unknown) => {
        if (!abort.signal.aborted)
          setState(({ data }) => ({ ...(data === undefined ? {} : { data }), error: asFailure(error), loading: false }))
      }
    )
    return () => abort.abort()
  }, [name, key, round])
  const reload = useCallback(() => setRound((n) => n + 1), [])
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
