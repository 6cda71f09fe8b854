import { useMemo } from "react"
import type { TemplateCard } from "#schema/console/Catalogue"
import { useLoaded } from "../load.ts"
import { Link, usePath } from "../router.tsx"
import { Problem } from "../ui/Notice.tsx"
import { Page, WaitingPage } from "../ui/Page.tsx"
import { Editor } from "./Editor.tsx"
import "@xyflow/react/dist/base.css"

/** The editor of the flow that the address names, once its draft and the templates are there. */
const FlowPage = () => {
  const id = usePath().split("/")[1] ?? ""
  const flow = useLoaded(({ flowDrafts }) => flowDrafts.getFlow({ path: { id } }), id)
  const catalogue = useLoaded(({ catalogue }) => catalogue.listTemplates())
  const templates = useMemo(
    () => new Map<string, TemplateCard>(catalogue.data?.templates.map((one) => [one.template, one])),
    [catalogue.data]
  )
  const error = flow.error ?? catalogue.error
  if (error !== undefined)
    return (
      <Page title="Flow">
        <Problem error={error} />
        <p>
          <Link to="/console/flows">All flows</Link>
        </p>
      </Page>
    )
  if (flow.data === undefined || catalogue.data === undefined) return <WaitingPage />
  return <Editor key={id} first={flow.data} templates={templates} />
}

export default FlowPage
