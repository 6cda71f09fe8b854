import { useState } from "react"
import type { FlowExample } from "#schema/console/Flows"
import { call } from "../api.ts"
import { plural, time } from "../format.ts"
import { useAction, useLoaded } from "../load.ts"
import { Link, navigate } from "../router.tsx"
import { Button } from "../ui/Button.tsx"
import { Problem } from "../ui/Notice.tsx"
import { Page, Waiting } from "../ui/Page.tsx"
import { ScrollFrame } from "../ui/ScrollFrame.tsx"
import { type Content, emptyGraph } from "./graph.ts"
import { NewFlowDialog } from "./NewFlowDialog.tsx"

const questionsIn = ({ definition }: Content) => definition.nodes.filter(({ kind }) => kind === "ask").length
const outcomesIn = ({ definition }: Content) => definition.nodes.filter(({ kind }) => kind === "end").length

const Examples = ({ examples }: { readonly examples: ReadonlyArray<FlowExample> }) => {
  const { start, busy, error } = useAction(async ({ slug, content }: FlowExample) => {
    const { id } = await call(({ flowDrafts }) => flowDrafts.createFlow({ payload: { slug, content } }))
    navigate(`/console/flows/${id}`)
  })
  return (
    <section aria-label="Examples">
      <h2>{examples.length === 1 ? "Another example" : "Begin with an example"}</h2>
      <ul className="example-list">
        {examples.map((example) => (
          <li key={example.slug}>
            <h3>{example.content.name}</h3>
            <p>{example.content.description}</p>
            <p className="hint">
              {plural(questionsIn(example.content), "question")}, {plural(outcomesIn(example.content), "outcome")}
            </p>
            <Button busy={busy} onClick={() => start(example)} aria-label={`Use this: ${example.content.name}`}>
              Use this
            </Button>
          </li>
        ))}
      </ul>
      <Problem error={error} />
    </section>
  )
}

/** The flows of the account, and examples to begin one with; a new one is made here. */
const FlowsPage = () => {
  const { data, error } = useLoaded(({ flowDrafts }) => flowDrafts.listFlows())
  const [creating, setCreating] = useState(false)
  const taken = new Set(data?.flows.map(({ slug }) => slug))
  const untried = data?.examples.filter(({ slug }) => !taken.has(slug)) ?? []
  return (
    <Page
      title="Flows"
      about="Draw how one decision leads to the next, then run the whole with one request. Only questions on the way taken are billed."
      actions={
        <Button kind="primary" onClick={() => setCreating(true)}>
          New flow
        </Button>
      }
    >
      <Problem error={error} />
      {data === undefined ? (
        error === undefined ? (
          <Waiting />
        ) : null
      ) : (
        <>
          {data.flows.length === 0 ? (
            <p className="empty">No flow yet. Begin with an example below, or with an empty canvas.</p>
          ) : (
            <ScrollFrame label="Your flows" cards>
              <table>
                <caption className="hidden">Your flows</caption>
                <thead>
                  <tr>
                    <th scope="col">Name</th>
                    <th scope="col">Slug</th>
                    <th scope="col">State</th>
                    <th scope="col">Changed</th>
                  </tr>
                </thead>
                <tbody>
                  {data.flows.map((flow) => (
                    <tr key={flow.id}>
                      <th scope="row">
                        <Link to={`/console/flows/${flow.id}`}>{flow.name}</Link>
                      </th>
                      <td data-label="Slug">
                        <code>{flow.slug}</code>
                      </td>
                      <td data-label="State">
                        {flow.published_version === null
                          ? "Draft"
                          : `Version ${flow.published_version}${flow.published_revision === flow.revision ? "" : ", changed since"}`}
                      </td>
                      <td data-label="Changed">{time(flow.updated_at)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollFrame>
          )}
          {untried.length > 0 ? <Examples examples={untried} /> : null}
        </>
      )}
      {creating ? (
        <NewFlowDialog
          onClose={() => setCreating(false)}
          empty={{ name: "", definition: emptyGraph }}
          onCreated={(id) => {
            setCreating(false)
            navigate(`/console/flows/${id}`)
          }}
        />
      ) : null}
    </Page>
  )
}

export default FlowsPage
