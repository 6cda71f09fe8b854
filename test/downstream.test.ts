import { expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { answering } from "./support/answering.ts"
import { TestApp } from "./support/app.ts"
import { withLayer } from "./support/effect.ts"
import { internalService } from "./support/internal.ts"

/** Another team's service: mail that is urgent rings. */
class Inbox extends Context.Tag("Inbox")<
  Inbox,
  { rings: (account: string, mail: string) => Effect.Effect<boolean> }
>() {
  static readonly layer = Layer.effect(
    Inbox,
    Effect.map(InternalClient, (client) => ({
      rings: (account, text) =>
        Effect.map(
          client.Decide({ account, spec: { template: "priority" }, text }),
          (it) => it.decision === "urgent"
        ).pipe(Effect.orDie)
    }))
  )
}

const service = internalService({
  inference: answering({ "the warehouse burns": "urgent", "lunch on Friday?": "low" })
})

withLayer(Layer.provideMerge(Inbox.layer, service))("Inbox", (it) =>
  it("rings for urgent mail alone", () =>
    Effect.gen(function* () {
      const { accountId } = yield* (yield* TestApp).customer()
      const inbox = yield* Inbox
      expect(yield* inbox.rings(accountId, "the warehouse burns")).toBe(true)
      expect(yield* inbox.rings(accountId, "lunch on Friday?")).toBe(false)
    }))
)
