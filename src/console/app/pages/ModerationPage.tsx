import { Option } from "effect"
import { useState } from "react"
import type { Moderated } from "#schema/console/Moderation"
import { Limits } from "#schema/Limits"
import { call, untilAnswered } from "../api.ts"
import { money, percent, plural } from "../format.ts"
import { keep, kept } from "../kept.ts"
import { isReadable, lengthOf } from "../length.ts"
import { useAction } from "../load.ts"
import { useAccount } from "../session.tsx"
import { Button } from "../ui/Button.tsx"
import { Copy } from "../ui/Copy.tsx"
import { TextArea } from "../ui/Field.tsx"
import { Problem } from "../ui/Notice.tsx"
import { Page } from "../ui/Page.tsx"

const most = Limits.renderedState
const firstText = "I will find out where you live, and then you will be sorry."

const Scores = ({ moderated: { result, decisions, cost_micros, request_id } }: { readonly moderated: Moderated }) => {
  const flags = new Map<string, boolean>(Object.entries(result.categories))
  return (
    <section aria-label="Result" aria-live="polite">
      <p className="verdict">{result.flagged ? "Flagged" : "Not flagged"}</p>
      <ul className="bars scores">
        {Object.entries(result.category_scores).map(([category, score]) => (
          <li key={category} className={flags.get(category) === true ? "flagged" : ""}>
            <span className="bar-name">
              {category}
              {flags.get(category) === true ? <span className="hidden"> (flagged)</span> : null}
            </span>
            <svg className="bar" aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 10">
              <rect className="bar-rest" width="100" height="10" />
              <rect className="bar-share" width={Math.max(0.5, score * 100)} height="10" />
            </svg>
            <span className="bar-number" title={String(score)}>
              {percent(score)}
            </span>
          </li>
        ))}
      </ul>
      <p className="hint">
        {plural(decisions, "decision")}, {money(cost_micros)} · <code>{request_id}</code>{" "}
        <Copy text={request_id} what="request id" />
      </p>
    </section>
  )
}

/** Moderates a text that is typed in, and shows the score of each category; paid like the endpoint. */
const ModerationPage = () => {
  const { id } = useAccount()
  const [text, setText] = useState(() => Option.getOrElse(kept("moderation", id), () => firstText))
  const [moderated, setModerated] = useState<Moderated>()
  const { start, busy, error } = useAction(async () =>
    setModerated(
      await call(({ moderation }) => moderation.moderate({ payload: { text } }), { patience: untilAnswered })
    )
  )
  return (
    <Page
      title="Moderation"
      about={
        <>
          Thirteen scores for a text, as <code>POST /v1/moderations</code> gives them to OpenAI's clients. Eight
          decisions a text.
        </>
      }
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void start()
        }}
      >
        <TextArea
          label="Text"
          rows={5}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            keep("moderation", id, event.target.value)
          }}
          hint={lengthOf(text, most)}
        />
        <div>
          <Button kind="primary" type="submit" busy={busy} disabled={text === "" || !isReadable(text, most)}>
            {busy ? "Reading…" : "Moderate"}
          </Button>
        </div>
      </form>
      <Problem error={error} />
      {moderated === undefined ? null : <Scores moderated={moderated} />}
    </Page>
  )
}

export default ModerationPage
