import { useState } from "react"
import type { AskNode, Condition, FlowEdge, FlowGraph } from "#schema/FlowGraph"
import {
  addAsk,
  addEnd,
  answersOf,
  type Catalogue,
  conditionOf,
  connect,
  type Exit,
  exitsOf,
  namedBy,
  removed,
  setEdge,
  titleOf,
  worded
} from "./graph.ts"
import { spotAfter } from "./layout.ts"
import { levelsOf, withLevel } from "./levels.ts"

type Change = (to: (graph: FlowGraph) => FlowGraph, topic?: string) => void

// No id of a node holds a control character.
const newQuestion = "\tquestion"
const newOutcome = "\toutcome"

const lead = (graph: FlowGraph, node: AskNode, exit: Exit, choice: string): FlowGraph => {
  if (choice === "") return exit.edge === undefined ? graph : removed(graph, new Set([exit.edge.id]))
  const spot = spotAfter(graph, node.id)
  const [next, to] =
    choice === newQuestion ? addAsk(graph, spot) : choice === newOutcome ? addEnd(graph, spot) : [graph, choice]
  return exit.edge === undefined ? connect(next, node.id, to, exit.when)[0] : setEdge(next, exit.edge.id, { to })
}

const Threshold = ({ edge, onChange }: { readonly edge: FlowEdge; readonly onChange: Change }) => {
  const value = "confidence_below" in edge.when ? edge.when.confidence_below : 0.3
  // While it is typed, it may be empty or out of range for a moment.
  const [typed, setTyped] = useState<string>()
  return (
    <label className="threshold">
      below
      <input
        type="number"
        min={1}
        max={100}
        value={typed ?? Math.round(value * 100)}
        onBlur={() => setTyped(undefined)}
        onChange={(event) => {
          setTyped(event.target.value)
          const percent = Math.round(Number(event.target.value))
          if (!(percent >= 1 && percent <= 100)) return
          onChange(
            (graph) => setEdge(graph, edge.id, { when: { confidence_below: percent / 100 } }),
            `threshold ${edge.id}`
          )
        }}
      />
      %
    </label>
  )
}

const Levels = ({
  edge,
  levels,
  onChange
}: {
  readonly edge: FlowEdge
  readonly levels: ReadonlyArray<string>
  readonly onChange: Change
}) => (
  <fieldset className="levels">
    <legend className="hidden">Levels of this way</legend>
    {levels.map((level) => {
      const taken = levelsOf(edge, levels)
      const on = taken.includes(level)
      return (
        <label key={level} className="check">
          <input
            type="checkbox"
            checked={on}
            disabled={on && taken.length === 1}
            onChange={() => onChange((graph) => withLevel(graph, edge, level, !on, levels))}
          />
          {level}
        </label>
      )
    })}
  </fieldset>
)

/** Where each answer of a question leads: the same that is drawn on the canvas, as a form. */
export const Ways = ({
  graph,
  node,
  templates,
  picked,
  onChange
}: {
  readonly graph: FlowGraph
  readonly node: AskNode
  readonly templates: Catalogue
  /** The edge that is selected. */
  readonly picked: string | undefined
  readonly onChange: Change
}) => {
  const asked = answersOf(node, templates)
  const exits = exitsOf(graph, node, templates)
  const shown = new Set(exits.flatMap(({ when }) => namedBy(when)))
  const hidden = asked?.answers.filter((answer) => !shown.has(answer)) ?? []
  const otherwise = exits.some(({ edge, when }) => edge !== undefined && "otherwise" in when)
  const emptyWords = ({ when }: Exit) =>
    "confidence_below" in when || "otherwise" in when ? "not used" : otherwise ? "as otherwise" : "nowhere yet"
  const targets = graph.nodes.filter(({ id }) => id !== node.id)
  const name = (when: Condition, edge: FlowEdge | undefined) =>
    "confidence_below" in when && edge === undefined ? "unsure" : worded(when)
  return (
    <div className="ways">
      <h3>Ways on</h3>
      <ul>
        {exits.map((exit) => (
          <li
            key={exit.edge?.id ?? exit.id}
            className={exit.edge !== undefined && exit.edge.id === picked ? "picked" : ""}
          >
            <span className="way-when">{"confidence_below" in exit.when ? "unsure" : worded(exit.when)}</span>
            <select
              aria-label={`${name(exit.when, exit.edge)} leads to`}
              value={exit.edge?.to ?? ""}
              onChange={(event) => onChange((now) => lead(now, node, exit, event.target.value))}
            >
              <option value="">{emptyWords(exit)}</option>
              {targets.map((target) => (
                <option key={target.id} value={target.id}>
                  {titleOf(target)}
                </option>
              ))}
              <option value={newQuestion}>+ new question</option>
              <option value={newOutcome}>+ new outcome</option>
            </select>
            {exit.edge !== undefined && "confidence_below" in exit.when ? (
              <Threshold edge={exit.edge} onChange={onChange} />
            ) : null}
            {exit.edge !== undefined && "levels" in exit.when ? (
              <Levels edge={exit.edge} levels={asked?.answers ?? namedBy(exit.when)} onChange={onChange} />
            ) : null}
          </li>
        ))}
      </ul>
      {hidden.length === 0 ? null : (
        <select
          aria-label="Add a way for an answer"
          value=""
          onChange={(event) => {
            const answer = event.target.value
            onChange((now) => {
              const [next, to] = addEnd(now, spotAfter(now, node.id))
              return connect(next, node.id, to, conditionOf(asked?.kind ?? "choice", answer))[0]
            })
          }}
        >
          <option value="">Add a way for an answer…</option>
          {hidden.map((answer) => (
            <option key={answer} value={answer}>
              {answer}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}
