import { expect } from "bun:test"
import { Effect } from "effect"
import { Flows } from "#src/flows/Flows"
import { content, published } from "#test/flows/scene"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

http("A flow that is not there", (it) => {
  it("is 404 not_found, to read and to run, and costs nothing", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const flows = yield* Flows
      const { key, accountId } = yield* app.customer({ decisions: 5 })
      yield* published((yield* app.customer()).accountId, "somebody-elses")
      yield* flows.create(accountId, "only-a-draft", content)
      const withdrawn = yield* published(accountId, "withdrawn")
      yield* flows.unpublish(withdrawn)
      for (const slug of [
        "unknown",
        "somebody-elses",
        "only-a-draft",
        "withdrawn",
        "Unknown",
        "%00",
        "a%00b",
        "%F0%9F%92%A5",
        "..%2Fusage",
        "x".repeat(5_000),
        "__proto__"
      ]) {
        const read = yield* app.send("GET", `/v1/flows/${slug}`, { key })
        const run = yield* app.send("POST", `/v1/flows/${slug}/run`, { key, body: { text: "urgent" } })
        for (const { status, body } of [read, run]) {
          expect([slug, status]).toEqual([slug, 404])
          expect(body).toEqual({
            detail: { error_type: "not_found", message: "There is no published flow with this slug." }
          })
        }
      }
      expect(yield* app.balance(accountId)).toEqual({ balance: 75, reserved: 0 })
    }))
})
