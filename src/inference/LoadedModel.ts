import type { Effect } from "effect"
import type { Outcome, RunFailed, Task, TooLong } from "./Protocol.ts"

/** A loaded model: what a family of graphs makes of a bundle. Lives in a worker process. */
export interface LoadedModel {
  readonly run: (task: Pick<Task, "state" | "questions">) => Effect.Effect<Outcome, TooLong | RunFailed>
  /** Gives its memory back; it runs no more. */
  readonly release: Effect.Effect<void>
}
