import { useNodesInitialized, useReactFlow } from "@xyflow/react"
import { useEffect, useRef } from "react"

const margins = { padding: 0.12, maxZoom: 1 }

/** Shows the whole flow once its nodes have their sizes, and again whenever the result is called. */
export const useFit = (): (() => void) => {
  const { fitView } = useReactFlow()
  const measured = useNodesInitialized()
  const fitted = useRef(false)
  useEffect(() => {
    if (!measured || fitted.current) return
    fitted.current = true
    void fitView(margins)
  }, [measured, fitView])
  return () => void requestAnimationFrame(() => void fitView({ ...margins, duration: 200 }))
}
