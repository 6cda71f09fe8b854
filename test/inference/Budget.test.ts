import { expect } from "bun:test"
import { Effect } from "effect"
import { makeBudget } from "#src/inference/Budget"
import { effect } from "../support/effect.ts"

effect("A request's budget is for all its questions, and says which is the one too many", () =>
  Effect.gen(function* () {
    const take = makeBudget()
    yield* take(0, 2, 1_000_000)
    yield* take(1, 3, 2_000_000)
    expect(yield* Effect.flip(take(2, 4, 1))).toMatchObject({
      _tag: "TooLong",
      question: 2,
      message: expect.stringContaining("4 options makes this model read 3000001 tokens")
    })
    yield* makeBudget()(0, 2, 3_000_000)
  })
)
