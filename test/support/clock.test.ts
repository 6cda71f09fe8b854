import { expect } from "bun:test"
import { Clock, Effect, Layer } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { TestApp } from "./app.ts"
import { fixedClock } from "./clock.ts"
import { withLayer } from "./effect.ts"
import { internalService } from "./internal.ts"

const moment = "2026-11-22T12:00:00Z"

withLayer(internalService().pipe(Layer.provideMerge(fixedClock(moment))))("A fixed clock", (it) =>
  it("stands still in all of the service", () =>
    Effect.gen(function* () {
      const client = yield* InternalClient
      const { accountId: account } = yield* (yield* TestApp).customer()
      const { latency_ms } = yield* client.Decide({ account, spec: { template: "spam", cache: false }, text: "hello" })
      expect(latency_ms).toBe(0)
      expect(yield* Clock.currentTimeMillis).toBe(Date.parse(moment))
    }))
)
