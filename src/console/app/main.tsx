import { createRoot } from "react-dom/client"
import { App } from "./App.tsx"
import { SessionProvider } from "./session.tsx"
import "./style/tokens.css"
import "./style/base.css"
import "./style/shell.css"
import "./style/controls.css"
import "./style/content.css"
import "./style/playground.css"
import "./style/flows.css"
import "./style/catalogue.css"

const root = document.getElementById("app")
if (root !== null)
  createRoot(root).render(
    <SessionProvider>
      <App />
    </SessionProvider>
  )
