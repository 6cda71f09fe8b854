import { type ReactNode, useEffect } from "react"
import { useArrival } from "../router.tsx"

const Main = ({ wide, children }: { readonly wide: boolean; readonly children: ReactNode }) => (
  <main className={wide ? "page wide" : "page"} id="main" tabIndex={-1} ref={useArrival()}>
    {children}
  </main>
)

/** A page: its name, a line on what it is for, what can be done, and the rest. */
export const Page = ({
  title,
  about,
  actions,
  wide = false,
  children
}: {
  readonly title: string
  readonly about?: ReactNode
  readonly actions?: ReactNode
  readonly wide?: boolean
  readonly children: ReactNode
}) => {
  useEffect(() => {
    document.title = `${title} · Typed decisions`
  }, [title])
  return (
    <Main wide={wide}>
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {about === undefined ? null : <p className="about">{about}</p>}
        </div>
        {actions === undefined ? null : <div className="actions">{actions}</div>}
      </header>
      {children}
    </Main>
  )
}

/** Keeps the place of something that is being fetched, so that nothing jumps when it comes. */
export const Waiting = ({ lines = 4 }: { readonly lines?: number }) => (
  <div className="waiting" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, line) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
      <span key={line} />
    ))}
  </div>
)

/** A page whose content is being fetched. */
export const WaitingPage = ({ wide = false }: { readonly wide?: boolean }) => (
  <Main wide={wide}>
    <Waiting lines={8} />
  </Main>
)
