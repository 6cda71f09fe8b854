import { Schema } from "effect"
import { Question } from "./Question.ts"

/** A model's folder, and which state of it: a folder that was replaced is loaded anew. */
export const ModelPlace = Schema.Struct({ directory: Schema.String, checksum: Schema.String })
export type ModelPlace = typeof ModelPlace.Type

/** All questions about one state, for one model. */
export const Task = Schema.Struct({
  model: ModelPlace,
  state: Schema.String,
  questions: Schema.Array(Question)
})
export type Task = typeof Task.Type

/** Uncalibrated logits, one list for each question, and how many tokens were read. */
export const Outcome = Schema.Struct({
  logits: Schema.Array(Schema.Array(Schema.JsonNumber)),
  stateTokens: Schema.Int,
  questionTokens: Schema.Array(Schema.Int)
})
export type Outcome = typeof Outcome.Type

/** The model cannot read this much at once. `question` is the place of the one that is too long, absent where it is the text; the message says the limit. */
export class TooLong extends Schema.TaggedError<TooLong>()("TooLong", {
  question: Schema.optional(Schema.NonNegativeInt),
  message: Schema.String
}) {}

/** The model's runtime refused a run; the worker itself lives. */
export class RunFailed extends Schema.TaggedError<RunFailed>()("RunFailed", { message: Schema.String }) {}

/** The argument of a worker process: models that it loads at its start. */
export const ModelPlaces = Schema.parseJson(Schema.Array(ModelPlace))

/** From the server to a worker process. */
export const Request = Schema.Struct({ id: Schema.Int, task: Task })

/** From a worker process to the server. */
export const Reply = Schema.Union(
  /** It has loaded what it could of the models of its start. */
  Schema.TaggedStruct("Ready", { lacking: Schema.Array(ModelPlace) }),
  /** The model of a task is not in memory; it is now. */
  Schema.TaggedStruct("Loading", { id: Schema.Int }),
  Schema.TaggedStruct("Loaded", { id: Schema.Int }),
  Schema.TaggedStruct("Done", {
    id: Schema.Int,
    exit: Schema.Exit({ success: Outcome, failure: Schema.Union(TooLong, RunFailed), defect: Schema.Defect })
  })
)
export type Reply = typeof Reply.Type
