import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { InvalidRequest } from "#schema/Errors"
import { Price } from "#src/billing/Price"
import { askedOf } from "#src/decisions/Asked"
import { Decisions } from "#src/decisions/Decisions"
import { Flows } from "#src/flows/Flows"
import { Runs } from "#src/flows/Runs"
import { live } from "#test/support/effect"
import { definition } from "./scene.ts"

const flow = {
  flow: "door",
  name: "Front door",
  description: null,
  version: 1,
  questions: 3,
  outcomes: [],
  updated_at: "2026-11-22T00:00:00.000Z",
  definition
}

const tooLong = Runs.layer.pipe(
  Layer.provide([
    Layer.mock(Flows, { get: () => Effect.succeed(flow) }),
    Layer.mock(Decisions, {
      decide: () => InvalidRequest.at(["body"], "the question takes 600 tokens"),
      asked: askedOf([]),
      templates: []
    }),
    Layer.succeed(Price, Price.of({ of: () => ({ cost_micros: 0, cost_usd: 0 }) }))
  ])
)

live("A run names the question that its model cannot read, and does not blame the body that was sent", () =>
  Effect.gen(function* () {
    const runs = yield* Runs
    const failed = yield* Effect.flip(runs.run("acc_1", "door", { requestId: "req_1", text: "?" }, 3))
    expect(failed).toMatchObject({
      detail: [
        {
          loc: ["path", "slug"],
          msg: "Value error, its question 'Hurry?' cannot be asked: the question takes 600 tokens"
        }
      ]
    })
  }).pipe(Effect.provide(tooLong))
)
