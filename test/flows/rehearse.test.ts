import { expect } from "bun:test"
import { Effect } from "effect"
import { Flows } from "#src/flows/Flows"
import { Runs } from "#src/flows/Runs"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"
import { content, definition, published } from "./scene.ts"

http("Trying a draft", (it) => {
  const account = Effect.flatMap(TestApp, (app) => app.customer())

  it("runs it as it is saved, published or not, and tells what to reserve", () =>
    Effect.gen(function* () {
      const flows = yield* Flows
      const runs = yield* Runs
      const flow = yield* published((yield* account).accountId, "door")
      const shorter = {
        ...definition,
        nodes: definition.nodes.filter(({ id }) => ["hurry", "now", "billing"].includes(id)),
        edges: definition.edges
          .filter(({ from }) => from === "hurry")
          .map((edge) => (edge.to === "team" ? { ...edge, to: "billing" } : edge))
      }
      const { revision } = yield* flows.save(flow, { ...content, definition: shorter })
      expect(yield* Effect.flip(runs.rehearse(flow))).toMatchObject({ _tag: "FlowConflict", revision })
      const { decisions, run } = yield* runs.rehearse({ ...flow, revision })
      expect(decisions).toBe(1)
      expect(yield* run({ requestId: "req_try", text: "whenever", lang: "en" })).toMatchObject({
        flow: "door",
        version: 0,
        outcome: "billing",
        usage: { decisions: 1, cost_micros: 15 },
        request_id: "req_try"
      })
    }))

  it("is refused with its faults where it cannot be run", () =>
    Effect.gen(function* () {
      const flows = yield* Flows
      const runs = yield* Runs
      const { accountId } = yield* account
      const { id, revision } = yield* flows.create(accountId, "empty", {
        name: "Empty",
        definition: { schema: 1, nodes: [], edges: [] }
      })
      expect(yield* Effect.flip(runs.rehearse({ accountId, id, revision }))).toMatchObject({
        _tag: "FlowInvalid",
        faults: [{ code: "no_start" }, { code: "no_outcome" }]
      })
    }))
})
