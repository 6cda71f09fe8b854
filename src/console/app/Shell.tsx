import { type ReactNode, useEffect, useRef } from "react"
import { call } from "./api.ts"
import { useAction } from "./load.ts"
import { Link, mayLeave, usePath } from "./router.tsx"
import { useAccount, useSession } from "./session.tsx"
import { setTheme, type Theme, useTheme } from "./theme.ts"
import { Button } from "./ui/Button.tsx"
import { Problem } from "./ui/Notice.tsx"

const places = [
  ["playground", "Playground"],
  ["flows", "Flows"],
  ["moderation", "Moderation"],
  ["templates", "Templates"],
  ["models", "Models"],
  ["keys", "Keys"],
  ["usage", "Usage & billing"]
] as const

const next: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" }
const themeNames: Record<Theme, string> = { auto: "System", light: "Light", dark: "Dark" }

/** The service's sign: three shares of one whole. */
export const Mark = () => (
  <svg className="mark" viewBox="0 0 16 16" aria-hidden="true">
    <path d="M1 2h14v3.4H1z" className="mark-most" />
    <path d="M1 6.3h8.5v3.4H1zM1 10.6h4.2V14H1z" className="mark-rest" />
  </svg>
)

/** The frame around every page: where one can go, and who is here. */
export const Shell = ({ children }: { readonly children: ReactNode }) => {
  const path = usePath()
  const here = path.split("/")[0] || "playground"
  const { set } = useSession()
  const { email } = useAccount()
  const theme = useTheme()
  const leaving = useAction(async () => {
    if (await mayLeave()) set(await call(({ session }) => session.signOut()))
  })
  const nav = useRef<HTMLElement>(null)
  // On a phone the places stand in a row that is wider than the screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place has become the current one
  useEffect(() => {
    nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" })
  }, [here])
  return (
    <div className="shell">
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place in the page, as a link does */}
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          // The hash of the address may hold a draft.
          event.preventDefault()
          document.getElementById("main")?.focus()
        }}
      >
        Skip to the page
      </a>
      <div className="rail">
        <Link to="/console" className="wordmark">
          <Mark /> Typed decisions
        </Link>
        <nav aria-label="Console" ref={nav}>
          {places.map(([place, name]) => (
            <Link key={place} to={`/console/${place}`} aria-current={here === place ? "page" : undefined}>
              {name}
            </Link>
          ))}
          <a href="/docs">Docs</a>
        </nav>
        <div className="rail-foot">
          <Link
            to="/console/account"
            className="who"
            aria-current={here === "account" ? "page" : undefined}
            title={email}
          >
            <span className="who-email">{email}</span>
            <span className="who-short">Account</span>
          </Link>
          <Button kind="quiet" onClick={() => setTheme(next[theme])}>
            <span aria-hidden="true">◐</span>
            {themeNames[theme]}
            <span className="theme-word">theme</span>
          </Button>
          <Button kind="quiet" busy={leaving.busy} onClick={() => leaving.start()}>
            Sign out
          </Button>
          <Problem error={leaving.error} />
        </div>
      </div>
      {children}
    </div>
  )
}
