import { expect, test } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import { Figures } from "#schema/Figures"
import { Models } from "#src/models/Models"
import { http } from "#test/support/service"
import { visitor } from "./visitor.ts"

http("The console's page of models", (it) => {
  it("tells of each model what its manifest says, its figures included where it was measured", () =>
    Effect.gen(function* () {
      const { all } = yield* Models
      const { send } = yield* visitor
      const { models } = (yield* send("GET", "/models")).body
      const told = new Map(models.map(({ name, facts }: { name: string; facts: unknown }) => [name, facts]))
      expect(told.get("svc-auto")).toBeNull()
      for (const { manifest } of all) {
        const { name, checkpoint, languages, licence, sources, figures = null } = manifest
        expect(told.get(name)).toMatchObject({ checkpoint, languages, licence, sources, figures })
      }
    }))

  it("tells of a model whose folder is not here, and of all others", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId, send } = yield* visitor
      const name = `of-${accountId.replaceAll("_", "-")}`
      yield* sql`insert into models (name, account_id, description, release_date, checksum)
        values (${name}, ${accountId}, 'elsewhere', '2026-11-01', ${"0".repeat(64)})`
      const { status, body } = yield* send("GET", "/models")
      expect([status, body.models.length]).toEqual([200, 4])
      expect(body.models).toContainEqual(expect.objectContaining({ name, private: true, facts: null }))
    }))
})

test("Figures are shares of one, of known types of questions", () => {
  const row = { family: "all", language: "en", type: "choice", questions: 10, accuracy: 0.8, ece: 0.04 }
  const isRead = (change: object) =>
    Schema.is(Figures)({ measured: "2026-11-22", families: [{ ...row, ...change }], languages: [] })
  expect([{}, { accuracy: 80 }, { type: "yes_no" }, { questions: -1 }].map(isRead)).toEqual([true, false, false, false])
})
