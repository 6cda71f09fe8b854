import type { ReactNode } from "react"
import type { Failure } from "../api.ts"
import { Button } from "./Button.tsx"
import { Copy } from "./Copy.tsx"

/** What went wrong, and the id under which the service knows the request; with a way to try again where there is one. */
export const Problem = ({ error, onRetry }: { readonly error: Failure | undefined; readonly onRetry?: () => void }) =>
  error === undefined ? null : (
    <div className="notice problem" role="alert">
      <p className="lines">{error.message}</p>
      {error.requestId === null ? null : (
        <p className="request-id">
          Request <code>{error.requestId}</code> <Copy text={error.requestId} what="request id" />
        </p>
      )}
      {onRetry === undefined ? null : (
        <div>
          <Button onClick={onRetry}>Try again</Button>
        </div>
      )}
    </div>
  )

/** Something to know, in passing. */
export const Note = ({ children }: { readonly children: ReactNode }) => (
  <div className="notice" role="status">
    {children}
  </div>
)
