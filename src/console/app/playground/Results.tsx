import { money, plural } from "../format.ts"
import { Copy } from "../ui/Copy.tsx"
import { AnswerView, reordered } from "./AnswerView.tsx"
import type { Run } from "./run.ts"

/** Answers of the last run, with what they took; says how far a new order of options moved them. */
export const Results = ({ run, before }: { readonly run: Run | undefined; readonly before: Run | undefined }) => (
  <section className="results" aria-label="Answers" aria-live="polite">
    <header className="section-head">
      <h2>Answers</h2>
    </header>
    {run === undefined ? (
      <p className="placeholder">
        Run it, and the answers stand here: one bar per option, all bars together make 100 %.
      </p>
    ) : (
      <>
        {run.answers.map((answer) => (
          <AnswerView
            key={answer.id}
            answer={answer}
            change={reordered(
              answer,
              before?.answers.find(({ id }) => id === answer.id)
            )}
          />
        ))}
        <dl className="meta">
          <div>
            <dt>Model</dt>
            <dd>
              <code>{run.model}</code>
            </dd>
          </div>
          <div>
            <dt>Latency</dt>
            <dd>
              {run.latency.toFixed(1)} ms{run.cached === true ? ", cached" : ""}
            </dd>
          </div>
          <div>
            <dt>Cost</dt>
            <dd>
              {money(run.costMicros)} <span className="muted">for {plural(run.decisions, "decision")}</span>
            </dd>
          </div>
          <div>
            <dt>Request</dt>
            <dd>
              <code className="clip" title={run.requestId}>
                {run.requestId}
              </code>{" "}
              <Copy text={run.requestId} what="request id" />
            </dd>
          </div>
        </dl>
      </>
    )}
  </section>
)
