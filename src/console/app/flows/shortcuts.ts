import { useEffect } from "react"
import { dialogOpen } from "../ui/Dialog.tsx"

const inText = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Ctrl+Z takes back, Ctrl+Shift+Z and Ctrl+Y do again; fields of text keep theirs. */
export const useShortcuts = ({ undo, redo }: { readonly undo: () => void; readonly redo: () => void }) =>
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || inText(event.target) || dialogOpen()) return
      const key = event.key.toLowerCase()
      if (key === "z" && !event.shiftKey) undo()
      else if (key === "y" || key === "z") redo()
      else return
      event.preventDefault()
    }
    addEventListener("keydown", pressed)
    return () => removeEventListener("keydown", pressed)
  }, [undo, redo])
