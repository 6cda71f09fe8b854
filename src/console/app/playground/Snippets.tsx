import { useState } from "react"
import { Copy } from "../ui/Copy.tsx"
import { Segmented } from "../ui/Field.tsx"
import type { Draft } from "./draft.ts"
import { languages, type SnippetLanguage, snippet } from "./snippets.ts"

/** The request of this page as a program. */
export const Snippets = ({ draft }: { readonly draft: Draft }) => {
  const [language, setLanguage] = useState<SnippetLanguage>("curl")
  const code = snippet(language, draft)
  return (
    <section className="snippets" aria-label="As code">
      <header className="section-head">
        <h2>As code</h2>
        <Segmented label="Language" value={language} options={languages} onChange={setLanguage} />
        <Copy text={code} what="code" />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: code that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </section>
  )
}
