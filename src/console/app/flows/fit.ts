import { useNodesInitialized, useReactFlow, useStoreApi } from "@xyflow/react"
import { useEffect, useRef } from "react"
import { drawnId } from "./drawnId.ts"

const margins = { padding: 0.06, maxZoom: 1 }
const edge = 20
/** Smaller than this, nothing can be read. */
const readable = 0.5

/** Shows the flow once its nodes have their sizes; `fit` does it again, `reveal` brings one node to the middle. */
export const useFit = () => {
  const { fitView, setViewport, getNodes, getNodesBounds, getZoom } = useReactFlow()
  const store = useStoreApi()
  const measured = useNodesInitialized()
  const fitted = useRef(false)

  const show = (duration: number) => {
    const { width, height } = store.getState()
    const all = getNodesBounds(getNodes())
    if (Math.min(width / all.width, height / all.height) >= readable) return void fitView({ ...margins, duration })
    // As a whole it would be too small: then from its start on, where it is higher or wider than the canvas.
    const x = all.width * readable > width ? edge : (width - all.width * readable) / 2
    const y = (height - all.height * readable) / 2
    void setViewport({ zoom: readable, x: x - all.x * readable, y: y - all.y * readable }, { duration })
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as there is something to show
  useEffect(() => {
    if (!measured || fitted.current) return
    fitted.current = true
    show(0)
  }, [measured])

  return {
    fit: () => void requestAnimationFrame(() => show(200)),
    reveal: (id: string) => {
      const zoom = getZoom()
      void fitView({ nodes: [{ id: drawnId(id) }], minZoom: zoom, maxZoom: zoom, duration: 200 })
    }
  }
}
