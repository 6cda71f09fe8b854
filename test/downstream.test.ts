import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { answering } from "#test/support/answering"
import { TestApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"
import { internalService } from "#test/support/internal"

/** Another team's service: mail that is urgent rings. */
class Inbox extends Effect.Service<Inbox>()("Inbox", {
  effect: Effect.map(InternalClient, (client) => ({
    rings: (account: string, text: string) =>
      Effect.map(client.Decide({ account, spec: { template: "priority" }, text }), (it) => it.decision === "urgent")
  }))
}) {}

const service = internalService({ inference: answering({ "the warehouse burns": "urgent", "lunch?": "low" }) })

withLayer(Layer.provideMerge(Inbox.Default, service))("Inbox", (it) =>
  it("rings for urgent mail alone", () =>
    Effect.gen(function* () {
      const { accountId } = yield* (yield* TestApp).customer()
      const inbox = yield* Inbox
      expect(yield* inbox.rings(accountId, "the warehouse burns")).toBe(true)
      expect(yield* inbox.rings(accountId, "lunch?")).toBe(false)
    }))
)
