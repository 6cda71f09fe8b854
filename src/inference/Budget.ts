import { Effect } from "effect"
import { TooLong } from "./Protocol.ts"

/** Tokens of one request for a model that reads the text again for what is asked: more take a core longer than anybody waits. */
const MOST_READ = 3_000_000

/** Counts the tokens that the questions of a request take one after another; fails at the question that takes too many. */
export const makeBudget = () => {
  let read = 0
  return (question: number, options: number, tokens: number): Effect.Effect<void, TooLong> => {
    read += tokens
    return read <= MOST_READ
      ? Effect.void
      : new TooLong({
          question,
          message: `the question with its ${options} options makes this model read ${read} tokens for one request, which are ${MOST_READ} at most; shorten or leave out options, or shorten the text`
        })
  }
}
