import { useCallback, useReducer } from "react"
import type { Content } from "./graph.ts"

const steps = 50
const together = 1500

/** What is being drawn, what was before, and what was undone of it. */
export interface History {
  readonly past: ReadonlyArray<Content>
  readonly present: Content
  readonly future: ReadonlyArray<Content>
  /** What the last change was about, and when: typing into one field is one step. */
  readonly last: { readonly topic: string; readonly at: number } | undefined
}

/** What happens to a drawing. Changes of one `topic` within 1.5 seconds of each other (`at`, in ms) are taken back together. */
export type Action =
  | {
      readonly do: "change"
      readonly to: (content: Content) => Content
      readonly topic: string | undefined
      readonly at: number
    }
  | { readonly do: "undo" | "redo" }

/** The history of a drawing that was just opened. */
export const begun = (content: Content): History => ({ past: [], present: content, future: [], last: undefined })

/** The history after a change, or after one is taken back or made again. */
export const next = (history: History, action: Action): History => {
  const { past, present, future, last } = history
  switch (action.do) {
    case "change": {
      const content = action.to(present)
      if (content === present) return history
      const goesOn = action.topic !== undefined && last?.topic === action.topic && action.at - last.at < together
      return {
        past: goesOn ? past : [...past, present].slice(-steps),
        present: content,
        future: [],
        last: action.topic === undefined ? undefined : { topic: action.topic, at: action.at }
      }
    }
    case "undo": {
      const before = past.at(-1)
      return before === undefined
        ? history
        : { past: past.slice(0, -1), present: before, future: [present, ...future], last: undefined }
    }
    case "redo": {
      const [after, ...rest] = future
      return after === undefined ? history : { past: [...past, present], present: after, future: rest, last: undefined }
    }
  }
}

/** What is being drawn, with the last 50 changes to take back. */
export const useHistory = (first: Content) => {
  const [{ past, present, future }, dispatch] = useReducer(next, first, begun)
  return {
    content: present,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    /** Changes with one `topic` in quick succession are one step. */
    change: useCallback(
      (to: (content: Content) => Content, topic?: string) =>
        dispatch({ do: "change", to, topic, at: performance.now() }),
      []
    ),
    undo: useCallback(() => dispatch({ do: "undo" }), []),
    redo: useCallback(() => dispatch({ do: "redo" }), [])
  }
}
