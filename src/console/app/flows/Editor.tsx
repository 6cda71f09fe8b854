import { ReactFlowProvider } from "@xyflow/react"
import { useCallback, useEffect, useState } from "react"
import type { CheckedDraft } from "#schema/console/Flows"
import type { FlowGraph } from "#schema/FlowGraph"
import { useArrival } from "../router.tsx"
import { useSession } from "../session.tsx"
import { Problem } from "../ui/Notice.tsx"
import { useAutosave } from "./autosave.ts"
import { Canvas } from "./Canvas.tsx"
import { contentOf } from "./content.ts"
import { type EditorDialog, EditorDialogs } from "./EditorDialogs.tsx"
import { useFit } from "./fit.ts"
import { addAsk, addEnd, type Catalogue, type Content, told } from "./graph.ts"
import { useHistory } from "./history.ts"
import { exported } from "./ImportDialog.tsx"
import { placed, spotAfter, tidied } from "./layout.ts"
import { SidePanel, type Tab } from "./SidePanel.tsx"
import { useShortcuts } from "./shortcuts.ts"
import { Toolbar } from "./Toolbar.tsx"
import { runOf, type Trial } from "./trial.ts"

const nothing: ReadonlySet<string> = new Set()

/** What can be drawn of it: each node in its place, each thing told by its id. */
const drawn = (content: Content, templates: Catalogue): Content => ({
  ...content,
  definition: placed(told(content.definition), templates)
})

const Drawing = ({ first, templates }: { readonly first: CheckedDraft; readonly templates: Catalogue }) => {
  const [start] = useState(() => drawn(contentOf(first.draft), templates))
  const history = useHistory(start)
  const { content, change } = history
  const graph = content.definition
  const autosave = useAutosave(first, content)
  const { draft, faults, saving, save } = autosave
  const { ended } = useSession()
  useEffect(() => {
    if (!ended) void save()
  }, [ended, save])
  const [selection, setSelection] = useState(nothing)
  const [trial, setTrial] = useState<Trial>()
  const run = runOf(trial, content)
  const [tab, setTab] = useState<Tab>("edit")
  const [dialog, setDialog] = useState<EditorDialog>()
  const { fit, reveal } = useFit()

  const changeGraph = useCallback(
    (to: (graph: FlowGraph) => FlowGraph, topic?: string) =>
      change((now) => {
        const definition = to(now.definition)
        return definition === now.definition ? now : { ...now, definition }
      }, topic),
    [change]
  )
  const show = (answer: CheckedDraft) => {
    const shown = drawn(contentOf(answer.draft), templates)
    change(() => shown)
    autosave.adopt(answer, shown)
    setSelection(nothing)
    fit()
  }
  const openSaved = async (wanted: EditorDialog) => {
    if (await save()) setDialog(wanted)
  }
  const add = (make: typeof addAsk) => {
    const spot = spotAfter(
      graph,
      [...selection].find((id) => graph.nodes.some((node) => node.id === id))
    )
    const [next, id] = make(graph, spot)
    changeGraph(() => next)
    setSelection(new Set([id]))
    setTab("edit")
    fit()
  }
  const pick = (id: string) => {
    setSelection(new Set([id]))
    reveal(graph.edges.find((edge) => edge.id === id)?.from ?? id)
  }
  useShortcuts({ undo: history.undo, redo: history.redo })
  useEffect(() => {
    document.title = `${content.name} · Typed decisions`
  }, [content.name])

  // What was deleted stays selected: it may come back.
  const chosen = [...selection].filter((id) => [...graph.nodes, ...graph.edges].some((item) => item.id === id))
  const one = chosen.length === 1 ? chosen[0] : undefined
  const edge = graph.edges.find(({ id }) => id === one)
  const node = graph.nodes.find(({ id }) => id === (edge === undefined ? one : edge.from))
  const nodeId = node?.id
  useEffect(() => {
    if (nodeId !== undefined) setTab("edit")
  }, [nodeId])

  return (
    <main className="editor" id="main" tabIndex={-1} ref={useArrival()}>
      <Toolbar
        name={content.name}
        draft={draft}
        saving={saving}
        faults={faults.length}
        history={history}
        onAsk={() => add(addAsk)}
        onEnd={() => add(addEnd)}
        onTidy={() => {
          changeGraph((now) => tidied(now, templates))
          fit()
        }}
        onPublish={() => void openSaved("publish")}
        onVersions={() => void openSaved("versions")}
        onImport={() => setDialog("import")}
        onExport={() => exported(content, draft.slug)}
        onRemove={() => setDialog("remove")}
      />
      {saving.state === "failed" ? <Problem error={saving.error} onRetry={save} /> : null}
      <div className="canvas">
        {graph.nodes.length === 0 ? (
          <p className="canvas-empty">
            Nothing is drawn yet. Begin with{" "}
            <button type="button" className="link" onClick={() => add(addAsk)}>
              a first question
            </button>
            , then lead each of its answers to another question or an outcome.
          </p>
        ) : null}
        <Canvas
          graph={graph}
          templates={templates}
          faults={faults}
          selection={selection}
          run={run}
          onChange={changeGraph}
          onSelect={setSelection}
        />
      </div>
      <SidePanel
        autosave={autosave}
        content={content}
        templates={templates}
        node={node}
        edge={edge}
        run={run}
        tab={tab}
        onTab={setTab}
        onTrial={setTrial}
        onChange={change}
        onGraph={changeGraph}
        onPick={pick}
      />
      <EditorDialogs
        open={dialog}
        autosave={autosave}
        content={content}
        onClose={() => setDialog(undefined)}
        onLoaded={show}
        onImport={(imported) => {
          change(() => drawn(imported, templates))
          setSelection(nothing)
          fit()
        }}
      />
    </main>
  )
}

/** Draws, tries and publishes one flow. */
export const Editor = (props: { readonly first: CheckedDraft; readonly templates: Catalogue }) => (
  <ReactFlowProvider>
    <Drawing {...props} />
  </ReactFlowProvider>
)
