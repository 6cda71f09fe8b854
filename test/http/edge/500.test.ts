import { expect } from "bun:test"
import { Effect } from "effect"
import { published } from "#test/flows/scene"
import { TestApp } from "#test/support/app"
import { http, trouble } from "#test/support/service"

const message = "Something went wrong on our side. Retry, and tell us the request id if it goes on."
const native = { detail: { error_type: "api_error", message } }
const question = { q: { type: "noul" } }

http("A bug of ours is 500, says nothing of the text, and costs nothing", (it) => {
  for (const [path, body, answer] of [
    ["/v1/decide", { text: trouble.bug, template: "spam" }, native],
    ["/v1/decide/batch", { texts: ["x", trouble.bug], template: "spam" }, native],
    ["/v1/systemone", { state: trouble.bug, model: "svc-auto", questions: question }, native],
    ["/v1/systemone/batch", { requests: [{ state: trouble.bug, model: "svc-auto", questions: question }] }, native],
    ["/v1/flows/front-door/run", { text: trouble.bug }, native],
    ["/v1/moderations", { input: trouble.bug }, { error: { message, type: "server_error", param: null, code: null } }]
  ] as const)
    it(path, () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const { key, accountId } = yield* app.customer({ decisions: 10 })
        yield* published(accountId, "front-door")
        const reply = yield* app.send("POST", path, { key, body })
        expect(reply.status).toBe(500)
        expect(reply.body).toEqual(answer)
        expect(reply.headers.get("x-request-id")).toMatch(/^req_/)
        expect(yield* app.balance(accountId)).toEqual({ balance: 150, reserved: 0 })
      })
    )
})
