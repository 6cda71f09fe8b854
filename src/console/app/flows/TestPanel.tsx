import type { FlowRun } from "#schema/Flow"
import { money, percent, plural } from "../format.ts"
import { isReadable, lengthOf } from "../length.ts"
import { useAction } from "../load.ts"
import { Bars } from "../ui/Bars.tsx"
import { Button } from "../ui/Button.tsx"
import { TextArea } from "../ui/Field.tsx"
import { Problem } from "../ui/Notice.tsx"
import type { Trial } from "./trial.ts"

/** Runs the draft on a text, and shows each step of the way it took. */
export const TestPanel = ({
  text,
  onText,
  run,
  onRun,
  onTrial,
  onPick
}: {
  readonly text: string
  readonly onText: (text: string) => void
  readonly run: FlowRun | undefined
  /** What is drawn is saved first: the draft is what runs. */
  readonly onRun: () => Promise<void>
  readonly onTrial: (trial: Trial | undefined) => void
  readonly onPick: (node: string) => void
}) => {
  const { start, busy, error } = useAction(async () => {
    onTrial(undefined)
    await onRun()
  })
  const perStep = run === undefined || run.steps.length === 0 ? 0 : run.usage.cost_micros / run.steps.length
  return (
    <section className="panel-body" aria-label="Test run">
      <TextArea
        label="Text"
        rows={5}
        value={text}
        onChange={(event) => onText(event.target.value)}
        hint={lengthOf(text)}
      />
      <div className="row">
        <Button kind="primary" busy={busy} disabled={!isReadable(text)} onClick={() => start()}>
          {busy ? "Running…" : "Run the draft"}
        </Button>
        {run === undefined ? null : (
          <Button kind="quiet" onClick={() => onTrial(undefined)}>
            Clear
          </Button>
        )}
      </div>
      <Problem error={error} />
      {run === undefined ? null : (
        <div className="stack" aria-live="polite">
          <p className="outcome">
            <span className="muted">Outcome</span> <strong>{run.outcome}</strong>
          </p>
          <ol className="steps">
            {run.steps.map((step) => (
              <li key={step.step}>
                <header>
                  <button type="button" className="link" onClick={() => onPick(step.step)}>
                    {step.label || step.step}
                  </button>
                  <strong>{step.answer}</strong>
                  <span className="hint">
                    confidence {percent(step.confidence)} · {money(perStep)}
                  </span>
                </header>
                <Bars shares={Object.entries(step.probabilities)} chosen={step.answer} most={6} />
              </li>
            ))}
          </ol>
          <p className="hint">
            {plural(run.usage.decisions, "decision")}, {money(run.usage.cost_micros)}, {run.latency_ms} ms ·{" "}
            <code>{run.request_id}</code>
          </p>
        </div>
      )}
    </section>
  )
}
