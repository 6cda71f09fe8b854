import { expect } from "bun:test"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"

withLayer(testApp())("What is free is 503 while the database lacks what it needs, and there again after", (it) => {
  for (const [path, table] of [
    ["/v1/templates", "keys"],
    ["/v1/models", "models"],
    ["/v1/flows", "flows"],
    ["/v1/usage", "usage_days"]
  ] as const)
    it(path, () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const sql = yield* SqlClient
        const { key } = yield* app.customer()
        const send = app.send("GET", path, { key })
        yield* sql`alter table ${sql(table)} rename to elsewhere`
        const { status, headers, body } = yield* send
        yield* sql`alter table elsewhere rename to ${sql(table)}`
        expect([status, headers.get("retry-after")]).toEqual([503, "1"])
        expect(body).toEqual({
          detail: { error_type: "api_error", message: "The service is briefly unavailable. Retry with backoff." }
        })
        expect((yield* send).status).toBe(200)
      })
    )
})
