import { expect } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { FlowInvalid } from "#schema/FlowDraft"
import { Flows } from "#src/flows/Flows"
import { visitor } from "#test/console/visitor"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"
import { content, definition, published } from "./scene.ts"

http("Publishing a flow", (it) => {
  const account = Effect.flatMap(TestApp, (app) => app.customer())

  it("makes the next version of the draft, and /v1 sees that one alone", () =>
    Effect.gen(function* () {
      const flows = yield* Flows
      const { accountId } = yield* account
      const { id } = yield* flows.create(accountId, "door", content)
      expect(yield* flows.list(accountId)).toEqual([])
      expect(yield* Effect.flip(flows.get(accountId, "door"))).toMatchObject({ _tag: "FlowNotFound" })

      const first = yield* flows.publish({ accountId, id, revision: 1 })
      expect(first).toEqual({
        version: 1,
        name: "Front door",
        description: "Who takes it",
        questions: 3,
        outcomes: ["act now", "billing", "sales", "a person decides"],
        longest_path: 3,
        published_at: expect.any(String)
      })

      yield* flows.save(
        { accountId, id, revision: 1 },
        { name: "Back door", definition: { schema: 1, nodes: [], edges: [] } }
      )
      const seen = yield* flows.get(accountId, "door")
      expect(seen).toMatchObject({ flow: "door", name: "Front door", version: 1, questions: 3 })
      expect(JSON.stringify(seen.definition)).toBe(JSON.stringify(definition))

      yield* flows.save({ accountId, id, revision: 2 }, { ...content, name: "Side door" })
      expect(yield* flows.publish({ accountId, id, revision: 3 })).toMatchObject({ version: 2, name: "Side door" })
      expect(yield* flows.list(accountId)).toMatchObject([{ flow: "door", name: "Side door", version: 2 }])
      expect((yield* flows.versions({ accountId, id })).map(({ version, name }) => [version, name])).toEqual([
        [2, "Side door"],
        [1, "Front door"]
      ])
      expect(yield* flows.version({ accountId, id }, 1)).toMatchObject({ name: "Front door", definition })
    }))

  it("is refused with every fault, and nothing is published", () =>
    Effect.gen(function* () {
      const flows = yield* Flows
      const { accountId } = yield* account
      const broken = { ...definition, edges: definition.edges.slice(1), start: "nowhere" }
      const { id } = yield* flows.create(accountId, "broken", { ...content, definition: broken })
      const refused = yield* Effect.flip(flows.publish({ accountId, id, revision: 1 }))
      expect(refused).toBeInstanceOf(FlowInvalid)
      const faults = yield* flows.faults(accountId, broken)
      expect(refused).toMatchObject({ faults })
      expect(faults.map(({ code }) => code)).toEqual(["no_start", "missing_way"])
      expect(yield* flows.draft({ accountId, id })).toMatchObject({ published_version: null })
    }))

  it("is refused while a question has no text", () =>
    Effect.gen(function* () {
      const flows = yield* Flows
      const { accountId } = yield* account
      const mute = {
        ...definition,
        nodes: definition.nodes.map((node) =>
          node.kind === "ask" && node.id === "team" ? { ...node, ask: { ...node.ask, question: "" } } : node
        )
      }
      const { id } = yield* flows.create(accountId, "mute", { ...content, definition: mute })
      expect(yield* Effect.flip(flows.publish({ accountId, id, revision: 1 }))).toMatchObject({
        faults: [{ code: "bad_spec", node: "team" }]
      })
    }))

  it("is refused for a model that the account does not have", () =>
    Effect.gen(function* () {
      const flows = yield* Flows
      const { accountId } = yield* account
      const asking = (model: string) => ({
        ...definition,
        nodes: definition.nodes.map((node) => (node.kind === "ask" ? { ...node, ask: { ...node.ask, model } } : node))
      })
      expect((yield* flows.faults(accountId, asking("somebody-elses"))).map(({ code }) => code)).toEqual([
        "bad_spec",
        "bad_spec",
        "bad_spec"
      ])
      for (const model of ["svc-auto", "svc-english", "jev-latest"])
        expect(yield* flows.faults(accountId, asking(model))).toEqual([])
    }))

  it("twice, or by many at once, makes one version", () =>
    Effect.gen(function* () {
      const flows = yield* Flows
      const { accountId } = yield* account
      const { id } = yield* flows.create(accountId, "eager", content)
      const made = yield* Effect.all(
        Array.from({ length: 8 }, () => flows.publish({ accountId, id, revision: 1 })),
        { concurrency: "unbounded" }
      )
      expect(new Set(made.map(({ version }) => version))).toEqual(new Set([1]))
      expect(yield* flows.versions({ accountId, id })).toHaveLength(1)
    }))

  it("makes versions that nobody can change or drop", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { id } = yield* published((yield* account).accountId, "stone")
      yield* Effect.flip(sql`update flow_versions set definition = '{}' where flow_id = ${id}`)
      yield* Effect.flip(sql`delete from flow_versions where flow_id = ${id}`)
      expect(yield* sql`select 1 from flow_versions where flow_id = ${id}`).toHaveLength(1)
    }))

  it("can be taken back: the versions stay, and the next one counts on", () =>
    Effect.gen(function* () {
      const flows = yield* Flows
      const flow = yield* published((yield* account).accountId, "on-and-off")
      expect(yield* flows.unpublish(flow)).toMatchObject({
        published_version: null,
        published_revision: null,
        revision: 2
      })
      expect(yield* flows.list(flow.accountId)).toEqual([])
      expect(yield* flows.versions(flow)).toHaveLength(1)
      expect(yield* flows.publish({ ...flow, revision: 2 })).toMatchObject({ version: 2 })
    }))

  it("can be undone by restoring an older version as the draft", () =>
    Effect.gen(function* () {
      const flows = yield* Flows
      const flow = yield* published((yield* account).accountId, "regret")
      yield* flows.save(flow, { name: "Emptied", definition: { schema: 1, nodes: [], edges: [] } })
      expect(yield* Effect.flip(flows.restore(flow, 1))).toMatchObject({ _tag: "FlowConflict", revision: 2 })
      const restored = yield* flows.restore({ ...flow, revision: 2 }, 1)
      expect(restored).toMatchObject({
        name: "Front door",
        description: "Who takes it",
        revision: 3,
        published_version: 1
      })
      expect(JSON.stringify(restored.definition)).toBe(JSON.stringify(definition))
      expect(yield* Effect.flip(flows.restore({ ...flow, revision: 3 }, 7))).toMatchObject({
        _tag: "FlowNotFound",
        message: "The flow has no such version."
      })
    }))

  it("from the console is done sixty times in a quarter of an hour at most, for versions stay", () =>
    Effect.gen(function* () {
      const flows = yield* Flows
      const { send, accountId } = yield* visitor
      const { id } = yield* flows.create(accountId, "often", content)
      const publish = send("POST", `/flows/${id}/publish`, { revision: 1 })
      for (let n = 1; n <= 60; n++) expect((yield* publish).status).toBe(200)
      const refused = yield* publish
      expect([refused.status, refused.body.detail.message]).toEqual([429, expect.stringContaining("minutes")])
      expect(yield* flows.versions({ accountId, id })).toHaveLength(1)
    }))
})
