import { Either } from "effect"
import { useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { TextArea } from "../ui/Field.tsx"
import type { Content } from "./graph.ts"
import { imported } from "./imported.ts"

/** Hands the flow over as a file. */
export const exported = (content: Content, slug: string) => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([JSON.stringify(content, null, 2)], { type: "application/json" }))
  link.download = `${slug}.json`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}

/** Replaces what is drawn by a file; can be taken back like any change. */
export const ImportDialog = ({
  content,
  onClose,
  onImport
}: {
  readonly content: Content
  readonly onClose: () => void
  readonly onImport: (content: Content) => void
}) => {
  const [json, setJson] = useState("")
  const [problem, setProblem] = useState<string>()
  return (
    <Dialog title="Import a flow" onClose={onClose} wide>
      <div className="field">
        <label htmlFor="import-file">A file that was exported here</label>
        <input
          id="import-file"
          type="file"
          accept=".json,application/json"
          onClick={(event) => {
            // The same file again would be no change.
            event.currentTarget.value = ""
          }}
          onChange={(event) => void event.target.files?.[0]?.text().then(setJson)}
        />
      </div>
      <TextArea
        label="Or its JSON"
        rows={10}
        className="code"
        value={json}
        onChange={(event) => setJson(event.target.value)}
      />
      {problem === undefined ? null : (
        <p className="notice problem lines" role="alert">
          {problem}
        </p>
      )}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          disabled={json.trim() === ""}
          onClick={() => {
            Either.match(imported(json, content), { onLeft: setProblem, onRight: onImport })
          }}
        >
          Replace what is drawn
        </Button>
      </div>
    </Dialog>
  )
}
