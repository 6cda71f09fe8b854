import { Option } from "effect"
import { useEffect, useRef, useState } from "react"
import { keep, kept } from "../kept.ts"
import { useAction, useLoaded } from "../load.ts"
import { useAccount } from "../session.tsx"
import { Button } from "../ui/Button.tsx"
import { copied } from "../ui/clipboard.ts"
import { Problem } from "../ui/Notice.tsx"
import { Page, WaitingPage } from "../ui/Page.tsx"
import { Asking } from "./Asking.tsx"
import { type Draft, firstDraft, obstacle } from "./draft.ts"
import { draftInAddress, linkTo, read, written } from "./link.ts"
import { Results } from "./Results.tsx"
import { type Run, run } from "./run.ts"
import { Snippets } from "./Snippets.tsx"
import { StateEditor } from "./StateEditor.tsx"

const Playground = ({ first }: { readonly first: Draft }) => {
  const { id } = useAccount()
  const [draft, setDraft] = useState(first)
  useEffect(() => {
    if (draft === first) return
    keep("playground", id, written(draft))
    // A link to what is no longer there would bring it back.
    if (location.hash !== "") history.replaceState(null, "", location.pathname)
  }, [draft, first, id])
  const [shared, setShared] = useState("Copy link")
  const results = useRef<HTMLDivElement>(null)
  const [runs, setRuns] = useState<{ readonly now?: Run; readonly before?: Run }>({})
  const catalogue = useLoaded(({ catalogue }) => catalogue.listTemplates())
  const template = catalogue.data?.templates.find(({ template }) => template === draft.template)
  const { start, busy, error } = useAction(async () => {
    const now = await run(draft, template?.template)
    setRuns((last) => ({ now, ...(last.now === undefined ? {} : { before: last.now }) }))
    // Where everything is one column, the answers stand far below the button.
    if (matchMedia("(max-width: 64rem)").matches)
      requestAnimationFrame(() => results.current?.scrollIntoView({ block: "start" }))
  })
  const unread = draft.asking === "template" && template === undefined
  const missing =
    catalogue.error === undefined ? "The templates are on their way." : "The templates could not be loaded."
  const problem = obstacle(draft) ?? (unread ? missing : undefined)
  const share = async () => {
    const link = await linkTo(draft)
    history.replaceState(null, "", link)
    setShared((await copied(link)) ? "Link copied" : "Link is in the address bar")
    setTimeout(() => setShared("Copy link"), 2500)
  }
  return (
    <Page
      title="Playground"
      about="Put something in, ask typed questions about it, see how sure the model is."
      wide
      actions={
        <Button onClick={share}>
          <span aria-live="polite">{shared}</span>
        </Button>
      }
    >
      <div className="bench">
        <form
          className="bench-in"
          onSubmit={(event) => {
            event.preventDefault()
            if (problem === undefined) void start()
          }}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && problem === undefined && !busy)
              void start()
          }}
        >
          <StateEditor draft={draft} onChange={setDraft} />
          <Asking draft={draft} onChange={setDraft} templates={catalogue.data?.templates ?? []} template={template} />
          {unread ? <Problem error={catalogue.error} onRetry={catalogue.reload} /> : null}
          <div className="run-bar">
            <Button kind="primary" type="submit" busy={busy} disabled={problem !== undefined}>
              {busy ? "Asking…" : "Run"}
            </Button>
            <span className="hint">{problem ?? "Ctrl + Enter runs it too."}</span>
          </div>
        </form>
        <div className="bench-out" ref={results}>
          <Problem error={error} />
          <Results run={runs.now} before={runs.before} />
          <Snippets draft={draft} />
        </div>
      </div>
    </Page>
  )
}

/** Questions to try out, begun with what the link holds, else with what this account asked last. */
export const PlaygroundPage = () => {
  const { id } = useAccount()
  const [opened, setOpened] = useState<{ readonly first: Draft; readonly time: number }>()
  useEffect(() => {
    const show = (first: Draft) => setOpened((before) => ({ first, time: (before?.time ?? 0) + 1 }))
    const open = async () =>
      show(
        (await draftInAddress()).pipe(
          Option.orElse(() => Option.flatMap(kept("playground", id), read)),
          Option.getOrElse(firstDraft)
        )
      )
    const follow = async () => Option.map(await draftInAddress(), show)
    void open()
    addEventListener("hashchange", follow)
    return () => removeEventListener("hashchange", follow)
  }, [id])
  return opened === undefined ? <WaitingPage wide /> : <Playground key={opened.time} first={opened.first} />
}
