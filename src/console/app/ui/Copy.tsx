import { useEffect, useState } from "react"
import { Button } from "./Button.tsx"
import { copied } from "./clipboard.ts"

/** Copies `text`; says so for a moment. */
export const Copy = ({
  text,
  what,
  prominent = false
}: {
  readonly text: string
  readonly what: string
  readonly prominent?: boolean
}) => {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle")
  useEffect(() => {
    if (state === "idle") return
    const timer = setTimeout(() => setState("idle"), 2000)
    return () => clearTimeout(timer)
  }, [state])
  return (
    <Button
      kind={prominent ? "primary" : "quiet"}
      className="copy"
      aria-label={`Copy ${what}`}
      onClick={() => copied(text).then((done) => setState(done ? "copied" : "failed"))}
    >
      <span aria-live="polite">{state === "copied" ? "Copied" : state === "failed" ? "Not copied" : "Copy"}</span>
    </Button>
  )
}
