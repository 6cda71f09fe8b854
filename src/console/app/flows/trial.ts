import type { FlowRun } from "#schema/Flow"
import { changes } from "./diff.ts"
import type { Content } from "./graph.ts"

/** A test run, and what was drawn when it ran. */
export interface Trial {
  readonly run: FlowRun
  readonly of: Content
}

/** The run, as long as what is drawn would run the same way: where it is drawn and what it is called makes no difference. */
export const runOf = (trial: Trial | undefined, { definition }: Content): FlowRun | undefined =>
  trial === undefined || changes({ ...trial.of, definition }, trial.of).length > 0 ? undefined : trial.run
