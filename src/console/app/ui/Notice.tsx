import type { ReactNode } from "react"
import type { Failure } from "../api.ts"
import { Copy } from "./Copy.tsx"

/** What went wrong, and the id under which the service knows the request. */
export const Problem = ({ error, children }: { readonly error: Failure | undefined; readonly children?: ReactNode }) =>
  error === undefined ? null : (
    <div className="notice problem" role="alert">
      <p className="lines">{error.message}</p>
      {error.requestId === null ? null : (
        <p className="request-id">
          Request <code>{error.requestId}</code> <Copy text={error.requestId} what="request id" />
        </p>
      )}
      {children}
    </div>
  )

/** Something to know, in passing. */
export const Note = ({ children }: { readonly children: ReactNode }) => (
  <div className="notice" role="status">
    {children}
  </div>
)
