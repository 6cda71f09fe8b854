import { Handle, type Node, type NodeProps, Position, useUpdateNodeInternals } from "@xyflow/react"
import { useEffect } from "react"
import type { Step } from "#schema/Flow"
import type { AskNode, EndNode } from "#schema/FlowGraph"
import { percent } from "../format.ts"
import { drawnId } from "./drawnId.ts"
import { type Exit, namedBy, titleOf, worded } from "./graph.ts"

interface Common extends Record<string, unknown> {
  readonly faults: ReadonlyArray<string>
  readonly lit: boolean
  readonly dim: boolean
}

/** A question as the canvas draws it: its faults, its exits, and the step of a test run that passed it, if any did. */
export type AskFlowNode = Node<
  Common & {
    readonly node: AskNode
    readonly asks: string
    readonly exits: ReadonlyArray<Exit>
    readonly start: boolean
    readonly step: Step | undefined
  },
  "ask"
>
/** An outcome as the canvas draws it. */
export type EndFlowNode = Node<Common & { readonly node: EndNode }, "end">

const marks = ({ faults, lit, dim }: Common) =>
  `${faults.length > 0 ? " faulty" : ""}${lit ? " lit" : ""}${dim ? " dim" : ""}`

const Faults = ({ faults }: { readonly faults: ReadonlyArray<string> }) =>
  faults.length === 0 ? null : (
    <span className="fault-mark" title={faults.join("\n")}>
      !<span className="hidden">{faults.join(" ")}</span>
    </span>
  )

const ExitRow = ({
  exit,
  step,
  covered
}: {
  readonly exit: Exit
  readonly step: Step | undefined
  readonly covered: boolean
}) => {
  const optional = !("option" in exit.when || "answer" in exit.when || "levels" in exit.when) && exit.edge === undefined
  const share =
    step === undefined ? 0 : namedBy(exit.when).reduce((sum, name) => sum + (step.probabilities[name] ?? 0), 0)
  const followed = step !== undefined && exit.edge?.id === step.followed
  return (
    <li
      className={`exit${exit.edge === undefined ? (covered ? " covered" : " open") : ""}${optional ? " optional" : ""}${followed ? " followed" : ""}`}
    >
      <span>{optional && "confidence_below" in exit.when ? "unsure" : worded(exit.when)}</span>
      {step === undefined || share === 0 ? null : <span className="exit-share">{percent(share)}</span>}
      <Handle type="source" position={Position.Right} id={drawnId(exit.id)} />
    </li>
  )
}

const AskView = ({ id, data }: NodeProps<AskFlowNode>) => {
  const { node, asks, exits, start, step, faults } = data
  const otherwise = exits.some(({ edge, when }) => edge !== undefined && "otherwise" in when)
  const update = useUpdateNodeInternals()
  const handles = exits.map((exit) => exit.id).join("\n")
  // biome-ignore lint/correctness/useExhaustiveDependencies: edges must learn where the handles have gone
  useEffect(() => update(id), [handles, id, update])
  return (
    <div className={`flow-node ask${marks(data)}`}>
      <Handle type="target" position={Position.Left} className={start ? "at-start" : ""} />
      <header>
        <p className="flow-node-kind">
          {start ? "Start · " : ""}
          {asks}
        </p>
        <p className="flow-node-title">{titleOf(node)}</p>
        <Faults faults={faults} />
      </header>
      <ul>
        {exits.map((exit) => (
          <ExitRow key={exit.edge?.id ?? exit.id} exit={exit} step={step} covered={otherwise} />
        ))}
      </ul>
    </div>
  )
}

const EndView = ({ data }: NodeProps<EndFlowNode>) => (
  <div className={`flow-node end${marks(data)}`}>
    <Handle type="target" position={Position.Left} />
    <p className="flow-node-title">{titleOf(data.node)}</p>
    <Faults faults={data.faults} />
  </div>
)

/** How nodes are drawn. */
export const nodeTypes = { ask: AskView, end: EndView }
