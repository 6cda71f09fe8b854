import { useRef } from "react"
import type { Ask, AskNode, FlowGraph, FlowNode } from "#schema/FlowGraph"
import { useLoaded } from "../load.ts"
import { Button } from "../ui/Button.tsx"
import { Segmented, Select, TextArea, TextField } from "../ui/Field.tsx"
import { Problem } from "../ui/Notice.tsx"
import { type Aside, laidAside, resourced, retyped, sourceOf } from "./asking.ts"
import { type Catalogue, removed, renameAnswers, setNode } from "./graph.ts"
import { OptionsField } from "./OptionsField.tsx"
import { Ways } from "./Ways.tsx"

type Change = (to: (graph: FlowGraph) => FlowGraph, topic?: string) => void

const kinds = [
  ["choice", "Choice"],
  ["yes_no", "Yes / no"],
  ["score", "Score"]
] as const

const askOf = (node: FlowNode, part: (ask: Ask) => Ask): FlowNode =>
  node.kind === "ask" ? { ...node, ask: part(node.ask) } : node

const AskFields = ({
  node,
  templates,
  onChange
}: {
  readonly node: AskNode
  readonly templates: Catalogue
  readonly onChange: Change
}) => {
  const { data, error, reload } = useLoaded(({ catalogue }) => catalogue.listModels())
  const { ask, id } = node
  const set = (part: (ask: Ask) => Ask, topic?: string) =>
    onChange((graph) => setNode(graph, id, (now) => askOf(now, part)), topic)
  const type = ask.type === "choice" || ask.type === "score" ? ask.type : "yes_no"
  const aside = useRef<Aside>({})
  const askOtherwise = (to: (ask: Ask, aside: Aside) => Ask) => {
    const before = laidAside(aside.current, ask)
    aside.current = before
    set((now) => to(now, before))
  }
  return (
    <>
      <Segmented
        label="What it asks"
        value={sourceOf(ask)}
        options={[
          ["own", "Own question"],
          ["template", "Template"]
        ]}
        onChange={(source) => askOtherwise((now, before) => resourced(now, source, before))}
      />
      {ask.template === undefined ? (
        <>
          <TextArea
            label="Question"
            rows={3}
            maxLength={2000}
            value={ask.question ?? ""}
            hint={ask.question ? undefined : "Write what the model should answer about the text."}
            onChange={(event) => set((now) => ({ ...now, question: event.target.value }), `question ${id}`)}
          />
          <Segmented
            label="Type of answer"
            value={type}
            options={kinds}
            onChange={(kind) => askOtherwise((now, before) => retyped(now, kind, before))}
          />
          {type === "yes_no" ? null : (
            <OptionsField
              key={`${id} ${type}`}
              ask={ask}
              noun={type === "choice" ? "option" : "level"}
              onChange={(options, renamed) =>
                onChange((graph) => {
                  const next = setNode(graph, id, (now) => askOf(now, (old) => ({ ...old, options })))
                  return renameAnswers(next, id, renamed)
                }, `options ${id}`)
              }
            />
          )}
        </>
      ) : (
        <Select
          label="Template"
          value={ask.template}
          onChange={(event) => set((now) => ({ ...now, template: event.target.value }))}
          hint={templates.get(ask.template)?.description}
        >
          {[...templates.values()].map(({ template, name }) => (
            <option key={template} value={template}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <Select
        label="Model"
        value={ask.model ?? "svc-auto"}
        onChange={(event) =>
          set(({ model: _, ...now }) =>
            event.target.value === "svc-auto" ? now : { ...now, model: event.target.value }
          )
        }
      >
        {[...new Set(["svc-auto", ...(data?.models.map(({ name }) => name) ?? []), ask.model ?? "svc-auto"])].map(
          (name) => (
            <option key={name}>{name}</option>
          )
        )}
      </Select>
      <Problem error={error} onRetry={reload} />
    </>
  )
}

/** Everything about one node: what it asks and where each answer leads, or its outcome. */
export const NodePanel = ({
  graph,
  node,
  templates,
  faults,
  picked,
  onChange
}: {
  readonly graph: FlowGraph
  readonly node: FlowNode
  readonly templates: Catalogue
  readonly faults: ReadonlyArray<string>
  readonly picked: string | undefined
  readonly onChange: Change
}) => {
  const { id } = node
  return (
    <section className="panel-body" aria-label={node.kind === "ask" ? "Question" : "Outcome"}>
      {faults.length === 0 ? null : (
        <ul className="fault-list" aria-label="Faults">
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      {node.kind === "ask" ? (
        <>
          <TextField
            label="Label"
            value={node.label}
            maxLength={200}
            onChange={(event) =>
              onChange((now) => setNode(now, id, (one) => ({ ...one, label: event.target.value })), `label ${id}`)
            }
          />
          <AskFields node={node} templates={templates} onChange={onChange} />
          <Ways graph={graph} node={node} templates={templates} picked={picked} onChange={onChange} />
        </>
      ) : (
        <TextField
          label="Outcome"
          value={node.outcome}
          maxLength={200}
          hint="What a run that ends here answers."
          onChange={(event) =>
            onChange(
              (now) => setNode(now, id, (one) => (one.kind === "end" ? { ...one, outcome: event.target.value } : one)),
              `outcome ${id}`
            )
          }
        />
      )}
      <div className="row">
        {node.kind === "ask" && graph.start !== id ? (
          <Button onClick={() => onChange((now) => ({ ...now, start: id }))}>Start here</Button>
        ) : null}
        <Button
          kind="danger"
          onClick={() => {
            onChange((now) => removed(now, new Set([id])))
            // This panel goes with its node.
            document.getElementById("main")?.focus()
          }}
        >
          Delete the {node.kind === "ask" ? "question" : "outcome"}
        </Button>
      </div>
    </section>
  )
}
