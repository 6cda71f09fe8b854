import { BaseEdge, type Edge, type EdgeProps } from "@xyflow/react"
import { type Box, route } from "./routing.ts"

/** A way as the canvas takes it, with what it has to go around. */
export type WayEdge = Edge<{ readonly boxes: ReadonlyArray<Box> }, "way">

const WayView = ({ id, sourceX, sourceY, targetX, targetY, markerEnd, label, data }: EdgeProps<WayEdge>) => (
  <BaseEdge
    id={id}
    path={route({ x: sourceX, y: sourceY }, { x: targetX, y: targetY }, data?.boxes ?? [])}
    label={label}
    labelX={sourceX + 24}
    labelY={sourceY}
    interactionWidth={18}
    {...(markerEnd === undefined ? {} : { markerEnd })}
  />
)

/** How ways are drawn. */
export const edgeTypes = { way: WayView }
