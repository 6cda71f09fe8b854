import { expect } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Either } from "effect"
import { Limits } from "#schema/Limits"
import { Flows } from "#src/flows/Flows"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"
import { content, definition, published } from "./scene.ts"

const renamed = (name: string) => ({ ...content, name })

http("A draft", (it) => {
  const account = Effect.flatMap(TestApp, (app) => app.customer())

  it("is kept as it was saved, and may be unfinished", () =>
    Effect.gen(function* () {
      const flows = yield* Flows
      const { accountId } = yield* account
      const made = yield* flows.create(accountId, "front-door", {
        name: "New",
        definition: { schema: 1, nodes: [], edges: [] }
      })
      expect(made).toMatchObject({
        slug: "front-door",
        name: "New",
        description: null,
        revision: 1,
        published_version: null
      })
      const flow = { accountId, id: made.id }
      const saved = yield* flows.save({ ...flow, revision: 1 }, content)
      expect(saved).toMatchObject({ ...content, revision: 2 })
      expect(yield* flows.draft(flow)).toEqual(saved)
      expect(JSON.stringify(saved.definition)).toBe(JSON.stringify(definition))
      expect(saved.updated_at >= made.updated_at).toBe(true)
      expect((yield* flows.drafts(accountId)).map(({ id }) => id)).toEqual([made.id])
    }))

  it("that somebody else has changed is not overwritten", () =>
    Effect.gen(function* () {
      const flows = yield* Flows
      const { accountId } = yield* account
      const { id } = yield* flows.create(accountId, "shared", content)
      yield* flows.save({ accountId, id, revision: 1 }, renamed("first"))
      const late = yield* Effect.flip(flows.save({ accountId, id, revision: 1 }, renamed("late")))
      expect(late).toMatchObject({ _tag: "FlowConflict", revision: 2 })
      expect(yield* flows.draft({ accountId, id })).toMatchObject({ name: "first", revision: 2 })
      const change = { accountId, id, revision: 1 }
      const stale: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
        flows.publish(change),
        flows.rename(change, "other"),
        flows.unpublish(change),
        flows.remove(change)
      ]
      for (const attempt of stale)
        expect(yield* Effect.flip(attempt)).toMatchObject({ _tag: "FlowConflict", revision: 2 })
      expect(yield* flows.draft({ accountId, id })).toMatchObject({ slug: "shared", name: "first", revision: 2 })
    }))

  it("saved by many at once takes the change of one", () =>
    Effect.gen(function* () {
      const flows = yield* Flows
      const { accountId } = yield* account
      const { id } = yield* flows.create(accountId, "busy", content)
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 10 }, (_, i) => `writer ${i}`),
        (name) => Effect.either(flows.save({ accountId, id, revision: 1 }, renamed(name))),
        { concurrency: "unbounded" }
      )
      const [won, ...others] = outcomes.filter(Either.isRight)
      expect(others).toEqual([])
      expect<unknown>(yield* flows.draft({ accountId, id })).toEqual(won?.right)
    }))

  it("has a slug that no other flow of the account has", () =>
    Effect.gen(function* () {
      const flows = yield* Flows
      const { accountId } = yield* account
      const one = yield* flows.create(accountId, "one", content)
      const two = yield* flows.create(accountId, "two", content)
      expect(yield* Effect.flip(flows.create(accountId, "one", content))).toMatchObject({ _tag: "SlugTaken" })
      expect(yield* Effect.flip(flows.rename({ accountId, id: two.id, revision: 1 }, "one"))).toMatchObject({
        _tag: "SlugTaken"
      })
      expect(yield* flows.rename({ accountId, id: one.id, revision: 1 }, "one")).toMatchObject({
        slug: "one",
        revision: 2
      })
      const elsewhere = yield* account
      expect(yield* flows.create(elsewhere.accountId, "one", content)).toMatchObject({ slug: "one" })
    }))

  it("of a published flow can be renamed: /v1 finds the published version under the new slug at once", () =>
    Effect.gen(function* () {
      const flows = yield* Flows
      const flow = yield* published((yield* account).accountId, "old")
      expect(yield* flows.rename(flow, "new")).toMatchObject({
        slug: "new",
        revision: 2,
        published_version: 1,
        published_revision: 2
      })
      expect(yield* flows.get(flow.accountId, "new")).toMatchObject({ flow: "new", version: 1 })
      expect(yield* Effect.flip(flows.get(flow.accountId, "old"))).toMatchObject({ _tag: "FlowNotFound" })
    }))

  it("belongs to its account", () =>
    Effect.gen(function* () {
      const flows = yield* Flows
      const { id } = yield* published((yield* account).accountId, "mine")
      const stranger = { accountId: (yield* account).accountId, id, revision: 1 }
      const attempts: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
        flows.draft(stranger),
        flows.save(stranger, content),
        flows.rename(stranger, "theirs"),
        flows.publish(stranger),
        flows.unpublish(stranger),
        flows.remove(stranger),
        flows.versions(stranger)
      ]
      for (const attempt of attempts)
        expect(yield* Effect.flip(attempt)).toMatchObject({ _tag: "FlowNotFound", message: "There is no such flow." })
      expect(yield* Effect.flip(flows.version(stranger, 1))).toMatchObject({
        _tag: "FlowNotFound",
        message: "The flow has no such version."
      })
      expect(yield* flows.drafts(stranger.accountId)).toEqual([])
      expect(yield* flows.list(stranger.accountId)).toEqual([])
    }))

  it("can be one of so many, also when they are made at once", () =>
    Effect.gen(function* () {
      const flows = yield* Flows
      const sql = yield* SqlClient
      const { accountId } = yield* account
      const there = Limits.flow.perAccount - 2
      yield* sql`insert into flows (id, account_id, slug, name, draft)
        select ${accountId} || n, ${accountId}, 'flow-' || n, 'Flow', '{"schema":1,"nodes":[],"edges":[]}' from generate_series(1, ${there}::integer) n`
      const outcomes = yield* Effect.forEach(
        ["a", "b", "c", "d", "e"],
        (slug) => Effect.either(flows.create(accountId, slug, content)),
        { concurrency: "unbounded" }
      )
      expect(outcomes.filter(Either.isRight)).toHaveLength(2)
      for (const refused of outcomes.filter(Either.isLeft)) expect(refused.left).toMatchObject({ _tag: "TooManyFlows" })
    }))

  it("that is removed is gone with its versions", () =>
    Effect.gen(function* () {
      const flows = yield* Flows
      const sql = yield* SqlClient
      const flow = yield* published((yield* account).accountId, "short-lived")
      yield* flows.remove(flow)
      expect(yield* Effect.flip(flows.draft(flow))).toMatchObject({
        _tag: "FlowNotFound",
        message: "There is no such flow."
      })
      expect(yield* flows.list(flow.accountId)).toEqual([])
      expect(yield* sql`select 1 from flow_versions where flow_id = ${flow.id}`).toHaveLength(0)
    }))
})
