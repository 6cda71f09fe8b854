import { useEffect } from "react"
import { dialogOpen } from "../ui/Dialog.tsx"

const inText = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, input:not([type="radio"], [type="checkbox"])'))

/** The Latin letter on a key: what it types, or where it types another script, what stands there on most keyboards. */
const letterOf = ({ key, code }: KeyboardEvent) => (/^[a-z]$/i.test(key) ? key : code.replace("Key", "")).toLowerCase()

/** Ctrl+Z takes back, Ctrl+Shift+Z and Ctrl+Y do again; fields of text keep theirs. */
export const useShortcuts = ({ undo, redo }: { readonly undo: () => void; readonly redo: () => void }) =>
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || inText(event.target) || dialogOpen()) return
      const key = letterOf(event)
      if (key === "z" && !event.shiftKey) undo()
      else if (key === "y" || key === "z") redo()
      else return
      event.preventDefault()
    }
    addEventListener("keydown", pressed)
    return () => removeEventListener("keydown", pressed)
  }, [undo, redo])
