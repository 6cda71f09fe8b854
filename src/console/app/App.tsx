import { type ComponentType, lazy, Suspense } from "react"
import { AccountPage } from "./pages/AccountPage.tsx"
import { KeysPage } from "./pages/KeysPage.tsx"
import { MissingPage } from "./pages/MissingPage.tsx"
import { SignInPage } from "./pages/SignInPage.tsx"
import { PlaygroundPage } from "./playground/PlaygroundPage.tsx"
import { usePath } from "./router.tsx"
import { Shell } from "./Shell.tsx"
import { SignInAgain } from "./SignInAgain.tsx"
import { useSession } from "./session.tsx"
import { Boundary } from "./ui/Boundary.tsx"
import { WaitingPage } from "./ui/Page.tsx"

const UsagePage = lazy(() => import("./pages/UsagePage.tsx"))
const FlowsPage = lazy(() => import("./flows/FlowsPage.tsx"))
const FlowPage = lazy(() => import("./flows/FlowPage.tsx"))
const ModerationPage = lazy(() => import("./pages/ModerationPage.tsx"))
const TemplatesPage = lazy(() => import("./pages/TemplatesPage.tsx"))
const ModelsPage = lazy(() => import("./pages/ModelsPage.tsx"))

const pages: Record<string, ComponentType> = {
  "": PlaygroundPage,
  playground: PlaygroundPage,
  keys: KeysPage,
  flows: FlowsPage,
  moderation: ModerationPage,
  templates: TemplatesPage,
  models: ModelsPage,
  usage: UsagePage,
  account: AccountPage
}

const Current = () => {
  const path = usePath()
  const Found = /^flows\/flow_[0-9A-Za-z]+$/.test(path) ? FlowPage : (pages[path] ?? MissingPage)
  return (
    <Boundary key={path}>
      <Found />
    </Boundary>
  )
}

/** The page that the address names, or the door where nobody is signed in. */
export const App = () => {
  const { session, ended } = useSession()
  if (session.account === null) return <SignInPage />
  return (
    <Shell>
      {ended ? <SignInAgain /> : null}
      <Suspense fallback={<WaitingPage />}>
        <Current />
      </Suspense>
    </Shell>
  )
}
