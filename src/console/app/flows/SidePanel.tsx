import { useState } from "react"
import type { FlowRun } from "#schema/Flow"
import type { FlowEdge, FlowGraph, FlowNode } from "#schema/FlowGraph"
import { call, untilAnswered } from "../api.ts"
import { Segmented } from "../ui/Field.tsx"
import type { Autosave } from "./autosave.ts"
import { FlowPanel } from "./FlowPanel.tsx"
import type { Catalogue, Content } from "./graph.ts"
import { NodePanel } from "./NodePanel.tsx"
import { TestPanel } from "./TestPanel.tsx"
import type { Trial } from "./trial.ts"

/** What the side panel is for just now: changing what is selected, or trying the flow. */
export type Tab = "edit" | "test"

/** Beside the drawing: the selected question or outcome, the flow itself where none is, or a test run. */
export const SidePanel = ({
  autosave,
  content,
  templates,
  node,
  edge,
  run,
  tab,
  onTab,
  onTrial,
  onChange,
  onGraph,
  onPick
}: {
  readonly autosave: Autosave
  readonly content: Content
  readonly templates: Catalogue
  readonly node: FlowNode | undefined
  /** The way that is selected, of those that leave the node. */
  readonly edge: FlowEdge | undefined
  readonly run: FlowRun | undefined
  readonly tab: Tab
  readonly onTab: (tab: Tab) => void
  readonly onTrial: (trial: Trial | undefined) => void
  readonly onChange: (to: (now: Content) => Content, topic?: string) => void
  readonly onGraph: (to: (graph: FlowGraph) => FlowGraph, topic?: string) => void
  readonly onPick: (id: string) => void
}) => {
  const { draft, faults, save } = autosave
  const graph = content.definition
  const [text, setText] = useState(
    "Hello, the app crashes every time I open my invoices. Please help, I need them today."
  )
  return (
    <aside className="panel nokey" aria-label="Side panel">
      <Segmented
        label="Side panel"
        value={tab}
        options={[
          ["edit", node === undefined ? "Flow" : node.kind === "ask" ? "Question" : "Outcome"],
          ["test", "Test"]
        ]}
        onChange={onTab}
      />
      {tab === "test" ? (
        <TestPanel
          text={text}
          onText={setText}
          run={run}
          onRun={async () => {
            if (!(await save())) return
            const { of, run } = await autosave.based(async (revision) => {
              const of = autosave.saved()
              const payload = { text, revision }
              const run = await call(({ flowDrafts }) => flowDrafts.testFlow({ path: { id: draft.id }, payload }), {
                patience: untilAnswered
              })
              return { of, run }
            })
            if (of !== undefined) onTrial({ of, run })
          }}
          onTrial={onTrial}
          onPick={onPick}
        />
      ) : node === undefined ? (
        <FlowPanel
          content={content}
          slug={draft.slug}
          faults={faults}
          onChange={onChange}
          onPick={onPick}
          onRename={async (slug) => {
            if (!(await save())) return
            await autosave.follow(
              autosave.based((revision) =>
                call(({ flowDrafts }) => flowDrafts.renameFlow({ path: { id: draft.id }, payload: { revision, slug } }))
              )
            )
          }}
        />
      ) : (
        <NodePanel
          key={node.id}
          graph={graph}
          node={node}
          templates={templates}
          faults={faults
            .filter(
              (fault) =>
                fault.node === node.id || graph.edges.some(({ id, from }) => id === fault.edge && from === node.id)
            )
            .map(({ message }) => message)}
          picked={edge?.id}
          onChange={onGraph}
        />
      )}
    </aside>
  )
}
