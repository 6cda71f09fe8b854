import { Effect, Schema } from "effect"
import type { Bundle } from "#src/models/Bundle"
import type { Question } from "./Question.ts"
import { spawn } from "./WorkerProcess.ts"

/** A model did not get through its trial; the message says what it did. */
export class TrialFailed extends Schema.TaggedError<TrialFailed>()("TrialFailed", { message: Schema.String }) {}

/** One of each type, and a text of several windows. */
const questions: ReadonlyArray<Question> = [
  {
    type: "choice",
    wording: "What does the customer want?",
    options: [{ name: "refund", description: "money back" }, { name: "help" }, { name: "other" }]
  },
  { type: "noul", wording: "Is this urgent?", options: [{ name: "no" }, { name: "yes" }] },
  { type: "score", wording: "How satisfied is the customer?", options: [{ name: "not" }, { name: "very" }] }
]
const texts = ["", "My parcel never came, I want my money back. ".repeat(60)]

/** Runs questions of every type, on a short and on a long text, in a process that ends with it: a graph may take its process down. */
export const trial = Effect.fn("trial")(
  function* (model: Bundle) {
    const worker = yield* spawn([])
    yield* worker.ready
    for (const state of texts) {
      const { logits } = yield* worker.run({ model, state, questions })
      if (logits.some((found, i) => found.length !== questions[i]?.options.length))
        return yield* new TrialFailed({ message: "the graph does not give one logit for each option" })
    }
  },
  Effect.scoped,
  Effect.catchTags({
    RunFailed: ({ message }) => new TrialFailed({ message }),
    TooLong: ({ message }) => new TrialFailed({ message }),
    WorkerLost: ({ message }) => new TrialFailed({ message: `its process ${message}` })
  }),
  Effect.timeoutFail({
    // A caller waits for it, on a connection that may be silent for four minutes.
    duration: "100 seconds",
    onTimeout: () => new TrialFailed({ message: "it did not answer within 100 seconds" })
  })
)
